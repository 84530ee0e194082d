import type { AskTerms } from './desk/asking-desk.js'

export interface AnswerOptions {
  /**
   * The id of the desk session, for one connection at a time: what an earlier one left open there is withdrawn.
   * Default: a new session for every connection.
   */
  readonly session?: string
  /** The title of the session. Default: the title and name of the server. */
  readonly title?: string
  /** Who may answer, and until when. Default: anyone on the desk, for as long as the desk has asks open. */
  readonly terms?: AskTerms
  /** Is told of what could not be shown to a person, and was cancelled. Never has an answer in it. */
  readonly log?: (problem: string) => void
}
