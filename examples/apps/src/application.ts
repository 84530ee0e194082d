import type { Agent } from './agent.js'

/** A running application, as someone who uses it sees it. */
export interface Application {
  /** The claim code that it shows. */
  readCode(): Promise<string>
  /** Has an agent call its action, with a person who declines, and with one who accepts. */
  use(agent: Agent): Promise<void>
  /** Ends, lets the gateway notice that, and begins anew. */
  restart(noticed: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}
