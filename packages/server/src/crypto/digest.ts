import crypto, { createHash } from 'node:crypto'

/** Several times quicker for short texts; Node has it, and not every runtime with a `node:crypto` does. */
const sha256 = crypto.hash
  ? (text: string) => crypto.hash('sha256', text, 'base64url')
  : (text: string) => createHash('sha256').update(text).digest('base64url')

/** A short name for a value that two different values never share: equal for JSON values that differ only in key order. */
export function digest(value: unknown): string {
  return sha256(canonical(value) ?? 'undefined')
}

/** The first 16 characters of it. No mere slice: that would keep all of it in memory, and be slow to compare. */
export function shortDigest(value: unknown): string {
  return Buffer.from(digest(value), 'latin1').toString('latin1', 0, 16)
}

/** As JSON, with the keys in order; undefined for what JSON has no word for. */
function canonical(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(item => canonical(item) ?? 'null').join()}]`
  if (!isPlain(value)) return canonical(JSON.parse(JSON.stringify(value) ?? 'null'))
  let members = ''
  for (const key of inOrder(Object.keys(value))) {
    const member = canonical(value[key])
    if (member !== undefined) members += `${members && ','}${JSON.stringify(key)}:${member}`
  }
  return `{${members}}`
}

/** Most objects are small, and many in order as they are: sorting those would cost more than all the rest. */
function inOrder(keys: string[]): string[] {
  const isInOrder = keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key)
  return isInOrder ? keys : keys.sort()
}

/** Whether JSON writes an object as its members; a date, say, it does not. */
function isPlain(value: object): value is Record<string, unknown> {
  const prototype = Object.getPrototypeOf(value)
  // A client may call a member of its arguments "toJSON" as well: JSON minds only a function.
  const isOwnWriter = 'toJSON' in value && typeof value.toJSON === 'function'
  return (prototype === Object.prototype || prototype === null) && !isOwnWriter
}
