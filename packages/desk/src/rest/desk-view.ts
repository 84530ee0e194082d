import type { DeskActions } from '../actions/desk-actions.js'
import type { Audit } from '../audit/audit.js'
import type { AskIndex } from '../index/ask-index.js'
import type { Absences } from '../people/absences.js'
import type { MembersOf } from '../policy/approval.js'
import type { DeskRules } from '../rules/desk-rules.js'
import type { Sessions } from '../sessions/sessions.js'
import type { Views } from './asks/views.js'

/** What the routes work with. */
export interface DeskView {
  readonly sessions: Sessions
  readonly index: AskIndex
  readonly actions: DeskActions
  readonly audit: Audit
  readonly rules: DeskRules
  readonly absences: Absences
  readonly membersOf: MembersOf
  /** Whether there is such a person, as far as the desk knows. */
  readonly isKnown: (principal: string) => Promise<boolean>
  readonly views: Views
  readonly now: () => number
}
