import crypto, { createHash } from 'node:crypto'
import { canonicalJson } from '@beckon/core/canonical-json'

/** Several times quicker for short texts; Node has it, and not every runtime with a `node:crypto` does. */
const sha256 = crypto.hash
  ? (text: string) => crypto.hash('sha256', text, 'base64url')
  : (text: string) => createHash('sha256').update(text).digest('base64url')

/** A short name for a value that two different values never share: equal for JSON values that differ only in key order. */
export function digest(value: unknown): string {
  return sha256(canonicalJson(value) ?? 'undefined')
}

/** The first 16 characters of it. No mere slice: that would keep all of it in memory, and be slow to compare. */
export function shortDigest(value: unknown): string {
  return Buffer.from(digest(value), 'latin1').toString('latin1', 0, 16)
}
