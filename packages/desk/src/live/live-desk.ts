import type { TrialNews } from '@beckon/core/live'
import type { DeskActions } from '../actions/desk-actions.js'
import type { OptionFinders } from '../asks/option-finders.js'
import type { AskIndex } from '../index/ask-index.js'
import type { MembersOf } from '../policy/approval.js'
import type { Audiences } from '../sessions/audiences.js'
import type { Sessions } from '../sessions/sessions.js'
import type { Clients } from './clients.js'
import type { Feed } from './feed.js'
import type { LiveLimits } from './limits.js'
import type { Numbers } from './numbers.js'

/** What the methods of the live protocol work on. */
export interface LiveDesk {
  readonly sessions: Sessions
  readonly index: AskIndex
  readonly audiences: Audiences
  readonly actions: Pick<DeskActions, 'dispatch' | 'createSession' | 'disposeSession' | 'viewed'>
  readonly membersOf: MembersOf
  readonly finders: Pick<OptionFinders, 'find'>
  readonly feed: Feed
  readonly numbers: Numbers
  readonly clients: Clients
  readonly limits: LiveLimits
  /** Told about the desk's own faults. */
  readonly onError: (error: unknown) => void
  /** Opens an ask for someone to try the desk with, and tells them how it goes. It must not throw. */
  readonly tryIt?: ((tell: (news: TrialNews) => void) => void) | undefined
}
