/** What the run knows of an engine: how to start it, and what must happen on it. */
import type { Db } from '../support/databases.js'
import type { Scope } from '../support/servers.js'
import type { Plain } from './plain.js'

export interface Engine {
  /** The name in the command. */
  name: string
  /** Whether a change must pass it, at the size `short`. */
  isQuick?: boolean
  /** What happens to the statement of a client that leaves. */
  leaving: 'stops' | 'stops at the deadline' | 'runs to its end'
  /** The boot must fail with this message. */
  refused?: RegExp
  start(scope: Scope, plain: Plain): Promise<Started>
}

export interface Started {
  /** The engine with its version. */
  title: string
  /** The database behind the lists. */
  db: Db
  /** A plain server of the same kind with the same data. */
  plain: Db
  /** The servers of the engine that read, reached directly. They are asked for the statements that they run. */
  servers?: Db[]
  /** A node that can die. */
  node?: Node
}

export interface Node {
  /** The node, to be read after "without". */
  name: string
  die(): Promise<void>
  comeBack(): Promise<void>
  /** Whether the others answer while the node is dead. */
  othersAnswer: boolean
}
