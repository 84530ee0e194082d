import { looksSensitive } from '@beckon/core'

/** Stands for a value that looks secret. */
const redacted = '[redacted]'

/**
 * A token or key gives itself away by its beginning, wherever it is; so does a JSON Web Token. That one is looked for once
 * where its letters begin, and only where the dots are there: strangers choose the text, and it may be long.
 */
const secretText =
  /\b(?:Bearer\s+\S+|(?:sk|pk|rk|ghp|gho|ghu|ghs|github_pat|xox[abps])[-_]\w{8,})|(?<![\w-])(?=[\w-]+\.[\w-]+\.)[\w-]*?eyJ[\w-]*\.[\w-]+\.[\w-]*/g

/** A copy of a value without what looks secret: by the names of its properties, and by what texts look like. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(secretText, redacted)
  if (Array.isArray(value)) return value.map(redact)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, looksSensitive(name) === undefined ? redact(inner) : redacted]),
  )
}
