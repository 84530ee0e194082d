import type { AskTerms } from './desk/asking-desk.js'

export interface AnswerOptions {
  /** The id of the desk session. Default: a new session for every connection of the client. */
  readonly session?: string
  /** The title of the session. Default: what the server calls itself. */
  readonly title?: string
  /** Who may answer, and until when. Default: anyone on the desk, for as long as the desk has asks open. */
  readonly terms?: AskTerms
  /** Is told of what could not be shown to a person, and was cancelled. Never has an answer in it. */
  readonly log?: (problem: string) => void
}
