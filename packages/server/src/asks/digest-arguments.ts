// What a state of `asks()` is bound to. The SDK hands over what a schema made of the arguments, which may be anything: sets, dates,
// bytes. Threat: two calls whose arguments look alike, so that the yes to one counts for the other. So every value is told from
// every other; and a value that nobody can look into is refused, where a guess would let one pass for another.
// Not defended: an object of a class whose private fields differ while all that it shows is the same.
import { isAnyArrayBuffer, isDate, isMap, isSet, sha256 } from '#platform'
import { digest } from '../crypto/digest.js'

/** A digest that no other arguments have. @throws TypeError for arguments that cannot be told apart */
export function digestArguments(args: readonly unknown[]): string {
  return digest(written(args, []))
}

type Written = string | boolean | null | readonly Written[]

function written(value: unknown, within: readonly object[]): Written {
  if (typeof value === 'string') return ['string', value]
  if (typeof value === 'function' || typeof value === 'symbol') throw opaque(typeof value)
  if (typeof value !== 'object' || value === null) return [typeof value, Object.is(value, -0) ? '-0' : String(value)]
  if (within.includes(value)) return ['circular', String(within.indexOf(value))]
  return writtenObject(value, [...within, value])
}

function writtenObject(value: object, within: readonly object[]): Written {
  const all = (values: Iterable<unknown>): Written[] => Array.from(values, each => written(each, within))
  if (Array.isArray(value)) return ['list', all(value)]
  if (isDate(value)) return ['date', String(value.getTime())]
  const { name } = (value.constructor ?? Object) as { readonly name: string }
  if (isAnyArrayBuffer(value)) return ['bytes', name, sha256(new Uint8Array(value))]
  if (ArrayBuffer.isView(value))
    return ['bytes', name, sha256(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))]
  const fields = all(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  if (isMap(value) || isSet(value)) return ['collection', name, fields, all(value)]
  const text = textOf(value)
  if (name !== 'Object' && text === undefined && fields.length === 0) throw opaque(name)
  return ['object', name, fields, text ?? null]
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
