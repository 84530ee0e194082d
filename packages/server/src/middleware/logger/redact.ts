import { looksSensitive } from '@beckon/core'

/** Stands for a value that looks secret. */
const redacted = '[redacted]'

/**
 * A token or key gives itself away by its beginning, wherever it is; so does a JSON Web Token. That one is looked for once
 * where its letters begin, and only where the dots are there: strangers choose the text, and it may be long.
 */
const secretText =
  /\b(?:Bearer\s+\S+|(?:sk|pk|rk|ghp|gho|ghu|ghs|github_pat|xox[abps])[-_]\w{8,})|(?<![\w-])(?=[\w-]+\.[\w-]+\.)[\w-]*?eyJ[\w-]*\.[\w-]+\.[\w-]*/g

/** More than anyone reads in a log. Strangers choose how many there are, and each name costs a look. */
const maxValues = 1_000

/**
 * A copy of a value without what looks secret: by the names of its properties, and by what texts look like. Of a value with
 * very many parts it has the first, and says how many it leaves out.
 */
export function redact(value: unknown): unknown {
  let left = maxValues
  return copy(value)

  function copy(inner: unknown): unknown {
    if (typeof inner === 'string') return inner.replace(secretText, redacted)
    if (typeof inner !== 'object' || inner === null) return inner
    return Array.isArray(inner) ? copyList(inner) : copyObject(inner)
  }

  function copyList(list: readonly unknown[]): unknown[] {
    const items: unknown[] = []
    while (items.length < list.length && left-- > 0) items.push(copy(list[items.length]))
    return items.length < list.length ? [...items, more(list.length - items.length)] : items
  }

  function copyObject(object: object): object {
    const names = Object.keys(object)
    const members: [string, unknown][] = []
    for (const name of names) {
      if (left-- <= 0) break
      members.push([name, looksSensitive(name) === undefined ? copy(Reflect.get(object, name)) : redacted])
    }
    const rest = names.length - members.length
    return Object.fromEntries(rest > 0 ? [...members, ['…', more(rest)]] : members)
  }
}

function more(amount: number): string {
  return `[${amount} more]`
}
