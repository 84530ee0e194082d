// What a receipt says. It holds digests, never words: SHA-256, in base64url, of the canonical JSON (RFC 8785) of
//   arguments  what the tool was called with
//   shown      { message, url?, questions?, show? }: what the person had before them; `questionsOf(form)` gives the questions of
//              a form, and `show` is what the author showed beside the question, block by block. A client is sent words: there
//              `show` is in the message, as `messageWith(question, show)` writes it, which may be a part with the digest of all
//   answer     the content of an accept, by question; {} for a yes and for every other action
// Anyone who has the words can check them against it. Not defended: a short answer is found by trying, so that a receipt of a form
// is for those who may know what was typed there.
import type { Question } from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import { digest } from '../crypto/digest.js'

/** How someone answered: a click, a passkey with user verification, or a rule that decided for them. */
export type ReceiptBy =
  | { readonly principal: string; readonly method: 'click' | 'passkey' }
  /** With the principal whose own rule it is. */
  | { readonly rule: string; readonly method: 'rule'; readonly principal?: string }

/** The statement that a receipt signs. */
export interface Receipt {
  /** Who signs: the address of the server or desk, or its name where it has none. */
  readonly iss: string
  /** When it was answered, in seconds. */
  readonly iat: number
  /** The ask. */
  readonly jti: string
  readonly server: string
  readonly tool?: string
  /** A digest. */
  readonly arguments?: string
  /** A digest. */
  readonly shown: string
  /** A digest. */
  readonly answer: string
  readonly action: 'accept' | 'decline' | 'cancel'
  /** Everyone whose answer it took. */
  readonly by: readonly ReceiptBy[]
  /** Where it was answered: what a client showed is its word. */
  readonly where: 'client' | 'page' | 'desk'
}

/** What a person had before them. */
export interface ShownAsk {
  readonly message: string
  readonly url?: string | undefined
  readonly questions?: readonly Question[] | undefined
  readonly show?: readonly Block[] | undefined
  /** The widget that showed it, with what it was given. */
  readonly widget?: unknown
}

/** What a receipt is made of, in words. */
export interface Receipted extends Omit<Receipt, 'iat' | 'arguments' | 'shown' | 'answer'> {
  /** Milliseconds. */
  readonly at: number
  readonly arguments?: unknown
  readonly shown: ShownAsk
  readonly answer: unknown
}

/** The digest of what someone was shown. An empty list is none. */
export function shownDigest({ message, url, questions = [], show = [], widget }: ShownAsk): string {
  const beside = { ...(show.length > 0 && { show }), ...(widget !== undefined && { widget }) }
  return digest({ message, url, ...(questions.length > 0 && { questions }), ...beside })
}

/** The statement for an answer. */
export function receiptOf({ at, arguments: input, shown, answer, ...rest }: Receipted): Receipt {
  return {
    ...rest,
    iat: Math.floor(at / 1000),
    ...(input !== undefined && { arguments: digest(input) }),
    shown: shownDigest(shown),
    answer: digest(answer),
  }
}

/** Reads a statement that someone else wrote; undefined for anything that is none. */
export function readReceipt(value: unknown): Receipt | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { iss, iat, jti, server, tool, arguments: input, shown, answer, action, by, where } = value as Fields
  const texts = [iss, jti, server, shown, answer, tool ?? '', input ?? '']
  if (!texts.every(text => typeof text === 'string') || !Number.isSafeInteger(iat)) return undefined
  if (!isOneOf(action, ['accept', 'decline', 'cancel']) || !isOneOf(where, ['client', 'page', 'desk'])) return undefined
  if (!Array.isArray(by) || !by.every(isBy)) return undefined
  // Every field was looked at.
  return value as Receipt
}

type Fields = Readonly<Record<string, unknown>>

function isBy(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { principal, rule, method } = value as Fields
  return method === 'rule'
    ? typeof rule === 'string' && typeof (principal ?? '') === 'string'
    : typeof principal === 'string' && isOneOf(method, ['click', 'passkey'])
}

function isOneOf(value: unknown, words: readonly string[]): boolean {
  return typeof value === 'string' && words.includes(value)
}
