import type { Answer } from '../../questions/question.js'
import type { Turn } from '../turn.js'
import type { AskApproval, AskAudience, AskComment, AskEnding, AskEntry, AskReport } from './state.js'

/** What happens to the asks of a desk, over all of its sessions. */
export type AsksAction =
  | { type: 'asks/asked'; ask: AskEntry }
  | {
      type: 'asks/answerChanged'
      session: string
      requestId: string
      questionId: string
      answer?: Answer
      /** The principal who is typing. */
      by?: string
    }
  | {
      type: 'asks/ended'
      session: string
      requestId: string
      ending: AskEnding
      answers?: Record<string, Answer>
      approval?: AskApproval
    }
  /** Someone accepted it, or took that back; or it was handed to someone else. */
  | { type: 'asks/peopleChanged'; session: string; requestId: string; to?: AskAudience; approval?: AskApproval }
  | { type: 'asks/commented'; session: string; requestId: string; comment: AskComment }
  /** How the call ended that the asks of a session are of. */
  | { type: 'asks/reported'; session: string; report: AskReport }
  /** What is open in it ends with it. */
  | { type: 'asks/turnEnded'; session: string; turn: Turn['state']; at: number }
  | { type: 'asks/sessionRemoved'; session: string }
