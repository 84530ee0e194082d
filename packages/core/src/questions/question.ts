/** One choice of a select. */
export interface Option {
  id: string
  label: string
  description?: string
  recommended?: boolean
}

interface QuestionBase {
  id: string
  title?: string
  message: string
  required?: boolean
}

/** `min` and `max` count characters. */
export interface TextQuestion extends QuestionBase {
  kind: 'text'
  format?: string
  min?: number
  max?: number
  defaultValue?: string
}

export interface NumberQuestion extends QuestionBase {
  kind: 'number' | 'integer'
  min?: number
  max?: number
  defaultValue?: number
}

export interface BooleanQuestion extends QuestionBase {
  kind: 'boolean'
  defaultValue?: boolean
}

export interface SingleSelectQuestion extends QuestionBase {
  kind: 'single-select'
  options: Option[]
  allowFreeformInput?: boolean
}

/** `min` and `max` count selected options. */
export interface MultiSelectQuestion extends QuestionBase {
  kind: 'multi-select'
  options: Option[]
  allowFreeformInput?: boolean
  min?: number
  max?: number
}

/** One field of a form as a person sees it. */
export type Question = TextQuestion | NumberQuestion | BooleanQuestion | SingleSelectQuestion | MultiSelectQuestion

/** A question's value. `number` serves both `number` and `integer` questions. */
export type Value =
  | { kind: 'text'; value: string }
  | { kind: 'number'; value: number }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'selected'; value: string; freeformValues?: string[] }
  | { kind: 'selected-many'; value: string[]; freeformValues?: string[] }

/** A question's answer so far: a draft, a submitted value, or skipped. */
export type Answer = { state: 'draft' | 'submitted'; value: Value } | { state: 'skipped'; freeformValues?: string[] }
