/**
 * A value as canonical JSON (RFC 8785): no spaces, keys in the order of their UTF-16 code units, numbers and strings as
 * ECMAScript writes them. Equal for JSON values that differ in nothing but the order of their keys; undefined for what JSON has
 * no word for. Half of a surrogate pair, which that RFC refuses, is escaped as `JSON.stringify` does: a stranger's text must not
 * be able to keep a digest from being made.
 *
 * Strangers choose what is in here, so that most of it is written by hand: a call of `JSON.stringify` for each key and value
 * costs several times as much.
 */
export function canonicalJson(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
      return Number.isFinite(value) ? `${value}` : beyond(value)
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? ofList(value) : ofObject(value)
    default:
      return JSON.stringify(value)
  }
}

/** A number that is too large for a double can be written in JSON, and is read as an infinite one: so it is another than null. */
function beyond(value: number): string {
  return Number.isNaN(value) ? 'null' : value > 0 ? '1e400' : '-1e400'
}

function ofList(list: readonly unknown[]): string {
  let items = ''
  for (const item of list) items += `${items && ','}${canonicalJson(item) ?? 'null'}`
  return `[${items}]`
}

function ofObject(object: object): string | undefined {
  if (!isPlain(object)) return canonicalJson(JSON.parse(JSON.stringify(object) ?? 'null'))
  let members = ''
  for (const key of inOrder(Object.keys(object))) {
    const member = canonicalJson(object[key])
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
  const prototype: unknown = Object.getPrototypeOf(value)
  // A client may call a member of its arguments "toJSON" as well: JSON minds only a function.
  const isOwnWriter = 'toJSON' in value && typeof value.toJSON === 'function'
  return (prototype === Object.prototype || prototype === null) && !isOwnWriter
}
