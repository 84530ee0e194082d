/** A copy that lacks one key. */
export function without<T extends object>(value: T, key: keyof T): T {
  const copy = { ...value }
  delete copy[key]
  return copy
}
