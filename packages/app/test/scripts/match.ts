import { expect } from 'vitest'

/** What was captured so far, by name. */
export type Captured = Map<string, unknown>

const kinds: Record<string, (value: unknown) => boolean> = {
  '~any': value => value !== undefined,
  '~absent': value => value === undefined,
  '~string': value => typeof value === 'string',
  '~number': value => typeof value === 'number',
  '~integer': value => Number.isInteger(value),
  '~boolean': value => typeof value === 'boolean',
  '~array': value => Array.isArray(value),
  '~object': value => typeof value === 'object' && value !== null && !Array.isArray(value),
}

/** Holds a value against a pattern: objects by the keys that it names, all else as a whole. */
export function match(value: unknown, pattern: unknown, captured: Captured, path = 'message'): void {
  if (typeof pattern === 'string' && pattern.startsWith('~')) {
    matchKind(value, pattern, captured, path)
  } else if (Array.isArray(pattern)) {
    expect(value, path).toBeInstanceOf(Array)
    expect(value, path).toHaveLength(pattern.length)
    for (const [index, item] of pattern.entries())
      match((value as unknown[])[index], item, captured, `${path}[${index}]`)
  } else if (typeof pattern === 'object' && pattern !== null) {
    expect(kinds['~object']?.(value), `${path} is an object: ${JSON.stringify(value)}`).toBe(true)
    for (const [key, inner] of Object.entries(pattern))
      match((value as Record<string, unknown>)[key], inner, captured, `${path}.${key}`)
  } else {
    expect(value, path).toEqual(pattern)
  }
}

/** Puts what was captured in the place of `~ref:name`. */
export function fill(value: unknown, captured: Captured): unknown {
  if (typeof value === 'string' && value.startsWith('~ref:')) return captured.get(value.slice(5))
  if (Array.isArray(value)) return value.map(item => fill(item, captured))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, captured)]))
}

function matchKind(value: unknown, pattern: string, captured: Captured, path: string): void {
  const [kind = '', ...rest] = pattern.split(':')
  const argument = rest.join(':')
  if (kind === '~capture') captured.set(argument, value)
  else if (kind === '~ref') expect(value, path).toEqual(captured.get(argument))
  else if (kind === '~regex') expect(value, path).toMatch(new RegExp(argument))
  else expect(kinds[pattern]?.(value), `${path} is ${pattern}: ${JSON.stringify(value)}`).toBe(true)
}
