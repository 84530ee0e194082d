/** A copy of the keys that have a value. */
export function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> }
export function given(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
