/**
 * The tests of what is published around the lists: the tarball, the release, the code of README and docs, the examples,
 * the benchmark's documents, and what an editor shows. These tests read the build, and `npm run test:package` runs them.
 */
export const packageTests = [
  'test/{editor,examples,package,release}.test.ts',
  'test/docs/blocks.test.ts',
  'test/{bench,examples}/**/*.test.ts'
]
