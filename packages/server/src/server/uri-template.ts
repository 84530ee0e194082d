/**
 * A template such as `notes://{id}`, as far as one is needed to match URIs with it: a part of RFC 6570, whose operators say what
 * stands before a variable and what ends it.
 */
export class UriTemplate {
  readonly #pattern: RegExp
  readonly #names: string[] = []

  constructor(template: string) {
    let pattern = ''
    let at = 0
    for (const found of template.matchAll(/\{([^}]*)\}/g)) {
      const { names, source } = expressionOf(found[1] ?? '')
      pattern += literal(template.slice(at, found.index)) + source
      at = found.index + found[0].length
      this.#names.push(...names)
    }
    const rest = template.slice(at)
    if (rest.includes('{')) throw new TypeError(`The template "${template}" has a { without its }.`)
    this.#pattern = new RegExp(`^${pattern}${literal(rest)}$`)
  }

  static isTemplate(uri: string): boolean {
    return /\{[^}\s]+\}/.test(uri)
  }

  /** The variables of a URI; undefined for one that is not of this template. */
  match(uri: string): Record<string, string> | undefined {
    const found = this.#pattern.exec(uri)
    if (found === null) return undefined
    return Object.fromEntries(this.#names.map((name, index) => [name, found[index + 1] ?? '']))
  }
}

/** What the variables of an expression match, such as `id`, `+path`, `/segment*` or `?from,to`. */
function expressionOf(expression: string): { readonly names: readonly string[]; readonly source: string } {
  const operator = /^[+#./?&]/.exec(expression)?.[0] ?? ''
  const names = expression
    .slice(operator.length)
    .split(',')
    .map(name => name.replace('*', '').trim())
    .filter(name => name !== '')
  if (operator === '?' || operator === '&') {
    const pairs = names.map(name => `${literal(name)}=([^&]+)`)
    return { names, source: `\\${operator}${pairs.join('&')}` }
  }
  const one = operator === '+' || operator === '#' ? '(.+)' : expression.includes('*') ? list : '([^/,]+)'
  const { before, between } = separators[operator] ?? separators['']
  return { names, source: before + names.map(() => one).join(between) }
}

/** Several values in place of one. */
const list = '([^/,]+(?:,[^/,]+)*)'

const separators: Record<string, { before: string; between: string }> &
  Record<'', { before: string; between: string }> = {
  '': { before: '', between: ',' },
  '#': { before: '#?', between: ',' },
  '.': { before: '\\.', between: '\\.' },
  '/': { before: '/', between: '/' },
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
