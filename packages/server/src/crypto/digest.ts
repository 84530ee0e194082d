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

/**
 * As JSON, with the keys in order; undefined for what JSON has no word for. Strangers choose what is in here, so that most
 * of it is written by hand: a call of `JSON.stringify` for each key and value costs several times as much.
 */
function canonical(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null'
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? canonicalList(value) : canonicalObject(value)
    default:
      return JSON.stringify(value)
  }
}

function canonicalList(list: readonly unknown[]): string {
  let items = ''
  for (const item of list) items += `${items && ','}${canonical(item) ?? 'null'}`
  return `[${items}]`
}

function canonicalObject(object: object): string | undefined {
  if (!isPlain(object)) return canonical(JSON.parse(JSON.stringify(object) ?? 'null'))
  let members = ''
  for (const key of inOrder(Object.keys(object))) {
    const member = canonical(object[key])
    if (member !== undefined) members += `${members && ','}${quoted(key)}:${member}`
  }
  return `{${members}}`
}

/** What JSON escapes, and everything beyond ASCII. */
const special = /[^ !#-[\]-~]/

function quoted(text: string): string {
  return text.length > 100 || special.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** Most objects are small, and many in order as they are: sorting those would cost more than all the rest. */
function inOrder(keys: string[]): string[] {
  for (let index = 1; index < keys.length; index++) if (`${keys[index - 1]}` > `${keys[index]}`) return keys.sort()
  return keys
}

/** Whether JSON writes an object as its members; a date, say, it does not. */
function isPlain(value: object): value is Record<string, unknown> {
  const prototype = Object.getPrototypeOf(value)
  // A client may call a member of its arguments "toJSON" as well: JSON minds only a function.
  const isOwnWriter = 'toJSON' in value && typeof value.toJSON === 'function'
  return (prototype === Object.prototype || prototype === null) && !isOwnWriter
}
