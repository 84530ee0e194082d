// Runs every attack, and compares what each one got with the table in docs/security.md. With UPDATE=1 the table is
// written anew; look at the difference before you keep it.
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { authorizationServer } from './authorization-server.js'
import { deskCalls } from './desk.js'
import { links } from './links.js'
import { payments } from './payments.js'
import { browsers, requests } from './requests.js'
import { sessions } from './sessions.js'
import { signIn } from './sign-in.js'
import { states } from './states.js'
import { tasks } from './tasks.js'
import { words } from './words.js'

const families = [
  states,
  sessions,
  tasks,
  deskCalls,
  requests,
  browsers,
  words,
  links,
  signIn,
  authorizationServer,
  payments,
]
const page = new URL('../../../../docs/security.md', import.meta.url)
const begin = '<!-- attacks: written by packages/server/test/attacks -->'
const end = '<!-- attacks: end -->'
const results = new Map<string, string>()

describe.each(families)('$family', ({ attacks }) => {
  it.each(attacks)('$attack', async ({ attack, run }) => {
    results.set(attack, await run())
  })
})

it('the table in docs/security.md says what each attack got', () => {
  const text = readFileSync(page, 'utf8')
  const [before, rest = ''] = text.split(begin)
  const [, after] = rest.split(end)
  const written = `${before}${begin}\n${table()}\n${end}${after}`
  if (process.env.UPDATE === '1') writeFileSync(page, written)
  else expect(text).toBe(written)
})

function table(): string {
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
