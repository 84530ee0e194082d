// Patterns: values that stand for themselves, objects of which the named keys matter, and texts that begin with ~.

export type Captured = Map<string, unknown>

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  '~string': value => typeof value === 'string',
  '~number': value => typeof value === 'number',
  '~integer': value => Number.isInteger(value),
  '~boolean': value => typeof value === 'boolean',
  '~array': value => Array.isArray(value),
  '~object': value => typeof value === 'object' && value !== null && !Array.isArray(value),
  '~any': value => value !== undefined,
  '~absent': value => value === undefined,
}

/** Where a value does not fit a pattern, or undefined when it fits. */
export function misfit(pattern: unknown, value: unknown, captured: Captured, at = '$'): string | undefined {
  if (typeof pattern === 'string' && pattern.startsWith('~')) return misfitOf(pattern, value, captured, at)
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value) || value.length !== pattern.length) return `${at} is not a list of ${pattern.length}`
    return first(pattern.map((each, index) => misfit(each, value[index], captured, `${at}[${index}]`)))
  }
  if (typeof pattern === 'object' && pattern !== null) {
    if (typeof value !== 'object' || value === null) return `${at} is not an object`
    const given = new Map(Object.entries(value))
    return first(Object.entries(pattern).map(([key, each]) => misfit(each, given.get(key), captured, `${at}.${key}`)))
  }
  return Object.is(pattern, value) ? undefined : `${at} is ${JSON.stringify(value)}, not ${JSON.stringify(pattern)}`
}

/** A value with what was captured in the place of its references. */
export function fill(value: unknown, captured: Captured): unknown {
  if (typeof value === 'string' && value.startsWith('~ref:')) return captured.get(value.slice(5))
  if (Array.isArray(value)) return value.map(each => fill(each, captured))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, captured)]))
}

function misfitOf(pattern: string, value: unknown, captured: Captured, at: string): string | undefined {
  const [, kind, name = ''] = /^(~[a-z]+):?([\s\S]*)$/.exec(pattern) ?? []
  switch (kind) {
    case '~capture':
      captured.set(name, value)
      return value === undefined ? `${at} is missing` : undefined
    case '~ref':
      return misfit(captured.get(name), value, captured, at)
    case '~regex':
      return new RegExp(name).test(String(value)) ? undefined : `${at} is ${JSON.stringify(value)}, not ${name}`
    default: {
      const fits = kinds[pattern]
      if (fits === undefined) throw new Error(`There is no pattern ${pattern}.`)
      return fits(value) ? undefined : `${at} is ${JSON.stringify(value)}, not ${pattern}`
    }
  }
}

function first(misfits: readonly (string | undefined)[]): string | undefined {
  return misfits.find(each => each !== undefined)
}
