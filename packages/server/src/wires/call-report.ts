import type { CallResponse } from '../log/events.js'
import type { CallReport } from './desk.js'

/** What those who saw an ask hear of its call: how it ended and the beginning of the result, how it ended, or nothing. */
export type ReportMode = 'text' | 'status' | 'nothing'

const maxChars = 500

/** What came of a call, from how it ended; undefined where nobody is to hear. */
export function reportOf(end: CallResponse | 'cancelled', mode: ReportMode = 'text'): CallReport | undefined {
  if (mode === 'nothing') return undefined
  const { status, text } = read(end)
  return { status, ...(mode === 'text' && text !== undefined && { text: text.slice(0, maxChars) }) }
}

function read(end: CallResponse | 'cancelled'): CallReport {
  if (end === 'cancelled') return { status: 'failed', text: 'The call was cancelled.' }
  if ('error' in end) return { status: 'failed', text: end.error.message }
  const { isError, content } = end.result as { isError?: unknown; content?: unknown }
  return { status: isError === true ? 'failed' : 'done', text: firstText(content) }
}

function firstText(content: unknown): string | undefined {
  const [first] = Array.isArray(content) ? content : []
  const { type, text } = (first ?? {}) as { type?: unknown; text?: unknown }
  return type === 'text' && typeof text === 'string' ? text : undefined
}
