/** Whether a message is JSON of no more than so many characters. No more of it is looked at than that. */
export function isLight(message: unknown, maxChars: number): boolean {
  let left = maxChars
  const fits = (value: unknown, depth: number): boolean => {
    left -= 8
    if (left < 0 || depth > 100) return false
    if (typeof value === 'string') {
      left -= value.length
      return left >= 0
    }
    if (typeof value !== 'object' || value === null) return typeof value !== 'bigint'
    if (Array.isArray(value)) return value.length * 8 <= left && value.every(each => fits(each, depth + 1))
    if (Object.getPrototypeOf(value) !== Object.prototype) return false
    for (const key in value) {
      left -= key.length
      if (!fits(Reflect.get(value, key), depth + 1)) return false
    }
    return true
  }
  return fits(message, 0)
}
