// Arrays as the database takes them in binary. As text it would have to look through every character of every value for quotes and
// commas, which took a fifth of its time; a buffer is sent as it is.

/** What an array has in it, by the number that the database knows the type by. */
const types = { integer: 23, text: 25, bigint: 20, double: 701, boolean: 16 } as const

const lengthBytes = 4
/** How many dimensions, whether any are null, the type; then length and first index of the one dimension. */
const headBytes = 12
const dimensionBytes = 8

/** Texts, and numbers as texts. */
export function textArray(values: readonly (string | number | null)[]): Buffer {
  const texts = values.map(value => (typeof value === 'number' ? `${value}` : value))
  let bytes = 0
  for (const text of texts) if (text !== null) bytes += Buffer.byteLength(text)
  const array = begin('text', texts.length, bytes)
  let at = array.length - bytes - texts.length * lengthBytes
  for (const text of texts) {
    const length = text === null ? 0 : array.write(text, at + lengthBytes)
    at = array.writeInt32BE(text === null ? -1 : length, at) + length
  }
  return array
}

export function integerArray(values: readonly (number | null)[]): Buffer {
  return numberArray('integer', 4, values, (array, value, at) => array.writeInt32BE(value, at))
}

export function bigintArray(values: readonly (number | null)[]): Buffer {
  return numberArray('bigint', 8, values, (array, value, at) => array.writeBigInt64BE(BigInt(value), at))
}

export function doubleArray(values: readonly (number | null)[]): Buffer {
  return numberArray('double', 8, values, (array, value, at) => array.writeDoubleBE(value, at))
}

export function booleanArray(values: readonly boolean[]): Buffer {
  return numberArray('boolean', 1, values.map(Number), (array, value, at) => array.writeInt8(value, at))
}

function numberArray(
  type: keyof typeof types,
  size: number,
  values: readonly (number | null)[],
  write: (array: Buffer, value: number, at: number) => number,
): Buffer {
  let count = 0
  for (const value of values) if (value !== null) count++
  const array = begin(type, values.length, count * size)
  let at = array.length - count * size - values.length * lengthBytes
  for (const value of values) {
    at = array.writeInt32BE(value === null ? -1 : size, at)
    if (value !== null) at = write(array, value, at)
  }
  return array
}

/** All but the values, for so many of them, which take so many bytes. */
function begin(type: keyof typeof types, length: number, bytes: number): Buffer {
  const hasValues = length > 0
  const array = Buffer.allocUnsafe(headBytes + (hasValues ? dimensionBytes : 0) + length * lengthBytes + bytes)
  array.writeInt32BE(hasValues ? 1 : 0, 0)
  // Whether there is a null is not looked at: each value says so itself.
  array.writeInt32BE(1, 4)
  array.writeInt32BE(types[type], 8)
  if (hasValues) {
    array.writeInt32BE(length, headBytes)
    array.writeInt32BE(1, headBytes + 4)
  }
  return array
}
