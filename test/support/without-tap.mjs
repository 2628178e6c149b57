/**
 * Runs a program without what tap puts into every Node.js that a test starts: hooks on each module, and coverage. The
 * source maps of the built package lead to `src`, and tap would count what the program does not run of it against the
 * tests that run `src` itself.
 *
 * @param {string} program
 * @param {readonly string[]} parameters
 * @returns {[string, string[]]} for `spawn`
 */
export const withoutTap = (program, parameters) => {
  // under tap every process gets the variable, whatever environment it is given
  return process.env.TAP ? ['env', ['-u', 'NODE_OPTIONS', program, ...parameters]] : [program, [...parameters]]
}
