/**
 * Environment variables of a process that runs the built package. Its source maps lead to `src`, and tap would count
 * what the process does not run against the tests that run `src` itself.
 */
export const withoutCoverage = { _TAPJS_PROCESSINFO_COVERAGE_: '0' }
