import type { Question } from '@beckon/core'
import type { Entered } from '../../fields/entered.js'
import type { Language } from '../../strings/strings.js'

/** What a control needs to draw itself. */
export interface ControlPart<Q extends Question = Question> {
  readonly question: Q
  readonly entered: Entered
  readonly language: Language
  readonly isInvalid: boolean
  /** Ids of what describes the control. */
  readonly describedBy: string
  readonly isDisabled: boolean
  enter(entered: Entered): void
}
