/** What a person can do with an ask. `decline` is a no; `cancel` is turning away without answering. */
export type Response = 'accept' | 'decline' | 'cancel'

/** A value that a form's field can hold. */
export type FieldValue = string | number | boolean | string[]

/** The answered fields of a form, by property name. */
export type Content = Record<string, FieldValue>

/** What came back for an ask. `content` is there on accept only; `reason` only where a person gave one. */
export type Outcome<T = Content> =
  | { action: 'accept'; content: T }
  | { action: 'decline'; reason?: string }
  | { action: 'cancel' }
