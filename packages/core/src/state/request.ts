import type { Response } from '../ask/outcome.js'
import type { Answer, Question } from '../questions/question.js'

/** A question or more put to a person: with questions a form, with a URL a page to visit, with neither a confirmation. */
export interface InputRequest {
  id: string
  message?: string
  url?: string
  questions?: Question[]
  /** By question id. */
  answers?: Record<string, Answer>
  _meta?: Record<string, unknown>
}

/** What happens to a request. `Channel` is the prefix of the dialect: `session` in 0.3, `chat` later. */
export type RequestAction<Channel extends string> =
  | { type: `${Channel}/inputRequested`; request: InputRequest }
  | { type: `${Channel}/inputAnswerChanged`; requestId: string; questionId: string; answer?: Answer }
  | { type: `${Channel}/inputCompleted`; requestId: string; response: Response; answers?: Record<string, Answer> }
