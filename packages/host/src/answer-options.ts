import type { AskTerms } from './connection-asks.js'
import type { Subject } from './elicitation/elicit.js'

export interface AnswerOptions {
  /** Asks with the same are shown together on the desk. Default: those of one connection. */
  readonly call?: string
  /** What the desk shows above them. Default: the title and name of the server. */
  readonly title?: string
  /** Who may answer, and until when. Default: anyone on the desk, for as long as the desk has asks open. */
  readonly terms?: AskTerms
  /** Whether a tool's annotations say that it can destroy something: then a person is warned. Default: nobody knows. */
  readonly isDestructive?: (tool: string) => boolean
  /**
   * Whether a server that reads it (`beckon`'s do) is told who answered a yes or no: what the desk knows them as, which may be an address. Every other
   * server is told nothing. Default: yes.
   */
  readonly tellsWho?: boolean
  /** Is told of what could not be shown or answered: a whole ask, or a field of one. Never has an answer in it. */
  readonly log?: (problem: string, what: 'cancelled' | 'left out') => void
  /**
   * Is told of a call that waits for pages which its person agreed to visit, and that a server of 2025 wants visited first; calls
   * what this gives back when the call is tried again.
   */
  readonly onVisit?: (call: Subject) => () => void
}
