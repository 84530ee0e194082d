/** What a person can do with an ask. `decline` is a no; `cancel` is turning away without answering. */
export type Response = 'accept' | 'decline' | 'cancel'

/** A value that a form's field can hold. */
export type FieldValue = string | number | boolean | string[]

/** The answered fields of a form, by property name. */
export type Content = Record<string, FieldValue>

/** Who gave an answer: a person, by the name that the authorization of server or desk has for them, or a standing rule. */
export type AnsweredBy = { readonly principal: string; readonly name?: string } | { readonly rule: string }

/**
 * Why nobody answered: its time was over, it was withdrawn, nobody could be shown it, or what came back was no person's. Without
 * one, a person turned away.
 */
export type NoAnswer = 'expired' | 'withdrawn' | 'no-capability' | 'no-person'

/** What came back for an ask. `content` is there on accept only; `reason` only where a person gave one; `by` where it is known. */
export type Outcome<T = Content> =
  | { action: 'accept'; content: T; by?: readonly AnsweredBy[] }
  | { action: 'decline'; reason?: string; by?: readonly AnsweredBy[] }
  | { action: 'cancel'; why?: NoAnswer; by?: readonly AnsweredBy[] }
