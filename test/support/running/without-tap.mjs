/**
 * Runs a program without the module hooks and the coverage that tap adds to every Node.js process of a test.
 *
 * @param {string} program
 * @param {readonly string[]} parameters
 * @returns {[string, string[]]} for `spawn`
 */
export const withoutTap = (program, parameters) => {
  // tap adds the variable to the environment of every child process.
  return process.env.TAP ? ['env', ['-u', 'NODE_OPTIONS', program, ...parameters]] : [program, [...parameters]]
}
