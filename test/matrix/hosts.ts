/**
 * Every host in which the lists must give the same bytes: one entry is one host. A host that does
 * something more is a row more, in the file of its theme; ./host.ts says what a row may hold.
 */
import type { Host } from './host.js'
import { callers } from './hosts/callers.js'
import { compilers } from './hosts/compilers.js'
import { hooks } from './hosts/hooks.js'
import { paths } from './hosts/paths.js'
import { plugins } from './hosts/plugins.js'
import { refusals } from './hosts/refusals.js'
import { servers } from './hosts/servers.js'
import { tokens } from './hosts/tokens.js'

/** The one that every other is compared with: as the README shows it. */
export const plain: Host = { name: 'nothing of its own' }

export const hosts: readonly Host[] = [
  ...servers,
  ...compilers,
  ...hooks,
  ...paths,
  ...tokens,
  ...callers,
  ...plugins,
  ...refusals
]
