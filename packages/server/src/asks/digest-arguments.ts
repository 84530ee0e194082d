// What a state of `asks()` is bound to. The SDK hands over what a schema made of the arguments, which may be anything: sets, dates,
// bytes. Threat: two calls whose arguments look alike, so that the yes to one counts for the other. So every value is told from
// every other; and a value that nobody can look into is refused, where a guess would let one pass for another.
// Not defended: an object of a class whose private fields differ while all that it shows is the same.
import { canonicalJson } from '@beckon/core/canonical-json'
import { isAnyArrayBuffer, isDate, isMap, isSet, sha256 } from '#platform'

/** A digest that no other arguments have. @throws TypeError for arguments that cannot be told apart */
export function digestArguments(args: readonly unknown[]): string {
  return sha256(written(args, new Map()))
}

/**
 * A text that no other value has: strings in quotes, anything else in brackets, with its kind.
 * @param within The objects that the value is in, by how deep each is.
 */
function written(value: unknown, within: Map<object, number>): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'function' || typeof value === 'symbol') throw opaque(typeof value)
  if (typeof value !== 'object' || value === null) return `<${typeof value} ${Object.is(value, -0) ? '-0' : value}>`
  const depth = within.get(value)
  if (depth !== undefined) return `<circular ${depth}>`
  within.set(value, within.size)
  const text = writtenObject(value, within)
  within.delete(value)
  return text
}

function writtenObject(value: object, within: Map<object, number>): string {
  if (Array.isArray(value)) return `[${listed(value, within)}]`
  if (isDate(value)) return `<date ${value.getTime()}>`
  const { name } = (value.constructor ?? Object) as { readonly name: string }
  if (isAnyArrayBuffer(value)) return `<bytes ${quoted(name)}${sha256(new Uint8Array(value))}>`
  if (ArrayBuffer.isView(value))
    return `<bytes ${quoted(name)}${sha256(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))}>`
  const fields = fieldsOf(value, within)
  if (isMap(value) || isSet(value)) return `<collection ${quoted(name)}{${fields}}[${listed(value, within)}]>`
  const text = textOf(value)
  if (name === 'Object' && text === undefined) return `{${fields}}`
  if (text === undefined && fields === '') throw opaque(name)
  return `<object ${quoted(name)}{${fields}}${text === undefined ? '' : quoted(text)}>`
}

function listed(values: Iterable<unknown>, within: Map<object, number>): string {
  let items = ''
  for (const value of values) items += `${written(value, within)},`
  return items
}

function fieldsOf(value: object, within: Map<object, number>): string {
  let fields = ''
  for (const key of Object.keys(value).sort())
    fields += `${quoted(key)}:${written((value as Record<string, unknown>)[key], within)},`
  return fields
}

function quoted(text: string): string {
  return canonicalJson(text) ?? ''
}

/** What an object says of itself, where it does. */
function textOf(value: object): string | undefined {
  if ('toJSON' in value && typeof value.toJSON === 'function') return JSON.stringify(value.toJSON())
  const saysNothing = !('toString' in value) || value.toString === Object.prototype.toString
  return saysNothing ? undefined : String(value)
}

function opaque(name: string): TypeError {
  return new TypeError(
    `asks() cannot tell one ${name} among the arguments from another, so that nobody is asked about it. ` +
      'Have the schema leave it as it was sent, and make it in the handler.',
  )
}
