import { canonicalJson } from '@beckon/core/canonical-json'
import { sha256, startOf } from '#platform'

/** A short name for a value that two different values never share: equal for JSON values that differ only in key order. */
export function digest(value: unknown): string {
  return sha256(canonicalJson(value) ?? 'undefined')
}

/** The first 16 characters of it. */
export function shortDigest(value: unknown): string {
  return startOf(digest(value), 16)
}
