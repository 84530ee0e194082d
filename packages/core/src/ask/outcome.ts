/** What a person can do with an ask. `decline` is a no; `cancel` is turning away without answering. */
export type Response = 'accept' | 'decline' | 'cancel'

/** A value that a form's field can hold. */
export type FieldValue = string | number | boolean | string[]

/** The answered fields of a form, by property name. */
export type Content = Record<string, FieldValue>

/**
 * Who gave an answer: a person, by the name that the authorization of server or desk has for them, or a standing rule. A `name` is
 * what a client calls the person who answered there: with the principal whose client it is, where that is known. Nothing proves it.
 */
export type AnsweredBy =
  | { readonly principal: string; readonly name?: string }
  | { readonly name: string; readonly principal?: undefined }
  /** With the principal whose own rule it is; without, it is one of the desk. */
  | { readonly rule: string; readonly principal?: string }

/**
 * Why nobody answered: its time was over, it was withdrawn, nobody could be shown it, or what came back was not a person's. Without
 * one, a person turned away.
 */
export type NoAnswer = 'expired' | 'withdrawn' | 'no-capability' | 'no-person'

/** What came back for an ask. `content` is there on accept only; `reason` only where a person gave one. */
export type Outcome<T = Content> = Proven &
  ({ action: 'accept'; content: T } | { action: 'decline'; reason?: string } | { action: 'cancel'; why?: NoAnswer })

interface Proven {
  /** Where it is known. */
  by?: readonly AnsweredBy[]
  /** A signed statement of it, where one was asked for. */
  receipt?: string
}
