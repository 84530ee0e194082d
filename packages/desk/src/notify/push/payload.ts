// What a push message says: who asks, and what. It is for the inbox's service worker, which has the same shape in
// `@beckon/inbox` (`worker/message.ts`).
import { visible } from '@beckon/core'
import type { EndedNotice, Notice } from '../channel.js'

export type PushMessage =
  | {
      readonly kind: 'ask'
      /** Takes the place of another with the same. */
      readonly tag: string
      readonly session: string
      readonly ask: string
      readonly path: string
      readonly title: string
      readonly body: string
      /** As the desk has it: to tell whether it is still this that is asked. */
      readonly askedAt: number
      readonly isReminder: boolean
      /** Whether it may be answered where it is shown. */
      readonly isAnswerable: boolean
    }
  | { readonly kind: 'ended'; readonly tag: string }
  | { readonly kind: 'test' }

/** A push message is at most 4,096 bytes, some of which the encryption takes. */
const maxBytes = 3_000
const maxTitleChars = 120
/** What is longer may not be read to its end in a notification, and is answered in the inbox. */
const maxAnswerableChars = 240

export function askMessage(notice: Notice): PushMessage {
  const { id, session, ask, link, message, askedAt, reminder, isSimple } = notice
  const shown = visible(message).trim()
  const input = notice.arguments === undefined ? '' : `\n${visible(JSON.stringify(notice.arguments))}`
  const about = {
    kind: 'ask',
    tag: id,
    session,
    ask,
    path: new URL(link).pathname,
    title: titleOf(notice),
    askedAt,
    isReminder: reminder > 0,
    isAnswerable: isSimple && shown !== '' && shown.length + input.length <= maxAnswerableChars,
  } as const
  const room = maxBytes - Buffer.byteLength(JSON.stringify(about))
  return { ...about, body: cut(shown + input, room) }
}

export function endedMessage({ id }: EndedNotice): PushMessage {
  return { kind: 'ended', tag: id }
}

function titleOf({ server, asker, tool }: Notice): string {
  const who = visible(asker ?? server).replace(/\s+/g, ' ')
  return [who, ...(tool === undefined ? [] : [visible(tool)])].join(' · ').slice(0, maxTitleChars)
}

/** As much of a text as fits into so many bytes of JSON. */
function cut(text: string, bytes: number): string {
  const fits = (some: string) => Buffer.byteLength(JSON.stringify(some)) <= bytes
  if (fits(text)) return text
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(`${text.slice(0, middle)}…`)) low = middle
    else high = middle - 1
  }
  return `${text.slice(0, low).replace(/[\ud800-\udbff]$/, '')}…`
}
