/** An object's values as someone reads them, by name; undefined where one of them is more than a value or a list of them. */
export function namedValues(given: unknown): (readonly [name: string, value: string])[] | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  const named = Object.entries(given).map(([name, value]) => [name, [value].flat()] as const)
  const isFlat = named.every(([, values]) => values.every(value => typeof value !== 'object' || value === null))
  return isFlat ? named.map(([name, values]) => [name, values.map(valueText).join(', ') || '[]'] as const) : undefined
}

/** A text stands for itself where nobody could take it for something else; all the rest is as it was sent. */
function valueText(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[^\s"',[\]{}](?:[^\n,]*[^\s,])?$/u.test(value)
  return isPlain && !/^(?:true|false|null|[-+]?[\d.]+(?:e[-+]?\d+)?)$/i.test(value) ? value : JSON.stringify(value)
}
