// Attacks that a package's tests carry out, and the part of docs/security.md that says what each one got. With UPDATE=1 that
// part is written anew, one test file at a time; look at the difference before you keep it.
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Attack {
  /** What is tried, in one line. */
  readonly attack: string
  /** Tries it, and says what that got. Throws when it got anything that it must not. */
  run(): Promise<string>
}

export interface Family {
  readonly family: string
  readonly attacks: readonly Attack[]
}

const page = new URL('../docs/security.md', import.meta.url)

/** Runs every attack, and compares what each one got with the table that has this name. */
export function runAttacks(table: string, families: readonly Family[]): void {
  const results = new Map<string, string>()

  describe.each(families)('$family', ({ attacks }) => {
    it.each(attacks)('$attack', async ({ attack, run }) => {
      results.set(attack, await run())
    })
  })

  it('the table in docs/security.md says what each attack got', () => {
    const begin = `<!-- attacks: written by ${table} -->`
    const end = '<!-- attacks: end -->'
    const text = readFileSync(page, 'utf8')
    const [before, ...rest] = text.split(begin)
    const [, ...after] = rest.join(begin).split(end)
    const written = `${before}${begin}\n${tableOf(families, results)}\n${end}${after.join(end)}`
    if (process.env.UPDATE === '1' && rest.length > 0) writeFileSync(page, written)
    else expect(text).toBe(written)
  })
}

function tableOf(families: readonly Family[], results: ReadonlyMap<string, string>): string {
  const rows = families.flatMap(({ family, attacks }) =>
    attacks.map(
      ({ attack }, index) => `| ${index === 0 ? family : ''} | ${cell(attack)} | ${cell(results.get(attack) ?? '')} |`,
    ),
  )
  return ['', '| where | the attack | what it got |', '|---|---|---|', ...rows, ''].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
