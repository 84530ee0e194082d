// Inputs that are nearly right: a valid message of which a member is dropped, doubled, retyped, renamed, nested, enlarged or exchanged
// for one of another message, and now and then the text itself, cut short or with bytes turned over.
import { names, nested, scalars, texts } from './hostile.mjs'

/** @typedef {import('../faults/random.mjs').Random} Random */

/** Most inputs are small, so that many can be tried; a few are as large as what is bounded. */
const sizes = [3, 10, 10, 30, 100, 100, 300, 1_000]
/** What is bounded is bounded at a hundred. Deeper than this, a value cannot be copied four times over. */
const depths = [2, 5, 40, 99, 101, 300]

/**
 * A copy of a value with one to four things wrong with it.
 * @param {Random} random
 * @param {unknown} value JSON
 * @param {readonly unknown[]} [others] valid messages whose parts may be put into it
 * @returns {unknown}
 */
export function mutated(random, value, others = []) {
  let result = structuredClone(value)
  for (let times = 1 + Math.floor(random.next() ** 3 * 4); times > 0; times--)
    result = mutatedOnce(random, result, others)
  return result
}

/**
 * A message as text, which may not be JSON any more.
 * @param {Random} random
 * @param {unknown} value
 * @param {readonly unknown[]} [others]
 */
export function mutatedText(random, value, others) {
  const text = JSON.stringify(random.next() < 0.9 ? mutated(random, value, others) : value) ?? ''
  const roll = random.next()
  if (roll < 0.1) return garbled(random, text)
  if (roll < 0.12) return withProto(text)
  return roll < 0.13 ? withDepth(random, text) : text
}

/**
 * A text with characters cut out, doubled, turned over, or others put in.
 * @param {Random} random
 * @param {string} text
 */
export function garbled(random, text) {
  const at = random.between(0, text.length + 1)
  const to = Math.min(text.length, at + random.between(0, 9))
  switch (random.between(0, 6)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + text.slice(to)
    case 2:
      return text.slice(0, to) + text.slice(at)
    case 3:
      return text.slice(0, at) + random.pick(texts) + text.slice(at)
    case 4:
      return (
        text.slice(0, at) +
        String.fromCharCode((text.charCodeAt(at) || 0) ^ (1 << random.between(0, 7))) +
        text.slice(at + 1)
      )
    default:
      return (
        text.slice(0, at) +
        random.pick(['{', '}', '[', ']', ',', ':', '"', '\\u', '\\', '/*', '//', '\n']) +
        text.slice(at)
      )
  }
}

/**
 * Bytes with some turned over, cut or added.
 * @param {Random} random
 * @param {Uint8Array} bytes
 */
export function garbledBytes(random, bytes) {
  const result = Buffer.from(bytes)
  if (random.next() < 0.2) return result.subarray(0, random.between(0, result.length + 1))
  if (random.next() < 0.1) return Buffer.concat([result, Buffer.from([random.between(0, 256), 255, 0])])
  for (let times = random.between(1, 5); times > 0 && result.length > 0; times--) {
    const at = random.between(0, result.length)
    result[at] = (result[at] ?? 0) ^ (1 << random.between(0, 8))
  }
  return result
}

/**
 * @param {Random} random
 * @param {unknown} value
 * @param {readonly unknown[]} others
 * @returns {unknown}
 */
function mutatedOnce(random, value, others) {
  const places = placesIn(value)
  if (places.length === 0 || random.next() < 0.03) return foreign(random, value, others)
  const { holder, key } = random.pick(places)
  const was = holder[key]
  switch (random.between(0, 7)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete holder[key]
      break
    case 1:
      if (Array.isArray(holder)) holder.splice(Number(key), 0, structuredClone(was))
      else put(holder, `${key}${random.pick(['2', ' ', '\u0000', '.x'])}`, structuredClone(was))
      break
    case 2:
      put(holder, random.pick(names), random.next() < 0.5 ? structuredClone(was) : { a: 1 })
      break
    case 3:
      put(holder, key, nested(random.pick(depths), was, random.next() < 0.5))
      break
    case 4:
      put(holder, key, enlarged(random, was))
      break
    case 5:
      put(holder, key, typeof was === 'string' ? garbled(random, was) : random.pick(scalars))
      break
    default:
      put(holder, key, foreign(random, was, others))
  }
  return value
}

/**
 * Something of another type, or of another message.
 * @param {Random} random
 * @param {unknown} value
 * @param {readonly unknown[]} others
 */
function foreign(random, value, others) {
  if (others.length > 0 && random.next() < 0.3) {
    const other = structuredClone(random.pick(others))
    const places = placesIn(other)
    if (places.length === 0) return other
    const { holder, key } = random.pick(places)
    return holder[key]
  }
  if (random.next() < 0.2) return random.pick([[], {}, [value], { value }, [[]], { length: 1 }])
  return random.pick(scalars)
}

/**
 * @param {Random} random
 * @param {unknown} value
 */
function enlarged(random, value) {
  const size = random.pick(sizes)
  if (typeof value === 'string')
    return value.slice(0, 100) + random.pick(['x', 'é', '\ud83d\ude00', '\u0000', ' ']).repeat(size)
  if (typeof value === 'number') return value * 10 ** random.between(-20, 40) || 0
  if (Array.isArray(value)) return Array.from({ length: size }, (_, at) => value[at % (value.length || 1)] ?? at)
  return Object.fromEntries(Array.from({ length: size }, (_, at) => [`k${at}`, at]))
}

/**
 * `__proto__` as JSON has it: a member like any other, which no literal can make.
 * @param {Record<string, unknown> | unknown[]} holder
 * @param {string} key
 * @param {unknown} value
 */
function put(holder, key, value) {
  // A list in JSON has places, and no names.
  if (Array.isArray(holder) && !/^\d+$/.test(key)) return
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

/** @param {string} text */
function withProto(text) {
  return text.replace('{', '{"__proto__":{"isPolluted":true},"constructor":{"prototype":{"isPolluted":true}},')
}

/**
 * A member that is nested deeper than anything that calls itself can follow.
 * @param {Random} random
 * @param {string} text
 */
function withDepth(random, text) {
  const depth = random.pick([2_000, 20_000, 100_000])
  const [begin, end] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ])
  const members = [...text.matchAll(/:("[^"\\]*"|\d+|true|false|null|\{\}|\[\])/g)]
  if (members.length === 0) return begin.repeat(depth) + 1 + end.repeat(depth)
  const { index, 0: member } = random.pick(members)
  return `${text.slice(0, index)}:${begin.repeat(depth)}1${end.repeat(depth)}${text.slice(index + member.length)}`
}

/**
 * Every member of every object and list in a value. What is nested deeper than anything valid is one place.
 * @param {unknown} value
 * @returns {{ holder: Record<string, unknown>, key: string }[]}
 */
function placesIn(value, depth = 0) {
  if (typeof value !== 'object' || value === null || depth > 12) return []
  const holder = /** @type {Record<string, unknown>} */ (value)
  return Object.keys(holder)
    .slice(0, 40)
    .flatMap(key => [{ holder, key }, ...placesIn(holder[key], depth + 1)])
}
