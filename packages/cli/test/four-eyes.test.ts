// Four eyes over the proxy: Rita's agent calls, Ben and Cara decide, each in a browser of their own. A real desk with rules and
// a directory, a real proxy before a server that knows nothing of approvals, and official clients of both eras.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import type { TestClock } from 'beckon/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, hasBrowser, type Person, patienceMs, Rig } from '../../inbox/test/rig.js'
import { violations } from '../../inbox/test/violations.js'
import { type Running, rawServer, startBeckon } from './beckon.js'
import { connectHttp, type Era, eras, newClient, patience, textOf } from './clients.js'

const patient = 4 * patienceMs
const token = 'token-of-the-proxy-1'
const raw = [...rawServer, '2025']
const quarterMs = 15 * 60 * 1000
const ben = { principals: ['ben'] }
const rules = [
  { id: 'two-of-ops', effect: 'ask', match: { tool: 'add' }, audience: { groups: ['ops'] }, quorum: 2 },
  { id: 'ben-first', effect: 'ask', match: { tool: 'more' }, audience: ben },
  {
    id: 'then-cara',
    effect: 'ask',
    match: { tool: 'change' },
    audience: ben,
    escalation: { afterMs: quarterMs, audience: { principals: ['cara'] } },
  },
]

const rig = new Rig()
let clock: TestClock
let proxy: Running
const clients = new Map<Era, Client>()
const people = new Map<string, Person>()

describe.skipIf(!hasBrowser)('four eyes over the proxy', { timeout: patient }, () => {
  beforeAll(async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'beckon-rules-')), 'rules.json')
    writeFileSync(file, JSON.stringify({ rules }))
    await rig.launch()
    clock = await rig.startWithClock({
      rules: file,
      directory: { ops: ['rita', 'ben', 'cara'] },
      servers: { ci: token },
    })
    const address = rig.url.replace('http://', `http://ci:${token}@`)
    const options = ['--approve', '--http', '0', '--desk', address, '--principal', 'rita']
    proxy = startBeckon(['proxy', ...options, '--', ...raw])
    for (const name of ['rita', 'ben', 'cara']) people.set(name, await rig.visit(name, { reducedMotion: 'reduce' }))
    const url = (await proxy.written(/the proxy is at (\S+)/))[1] ?? ''
    for (const era of eras) clients.set(era, await connectHttp(newClient(era), url))
  }, patient)

  afterAll(async () => {
    for (const client of clients.values()) await client.close()
    await proxy?.stop()
    const complaints = await rig.clear()
    await rig.close()
    expect(complaints).toEqual([])
  }, patient)

  const call = (era: Era, name: string, args: Record<string, unknown> = {}) => {
    const result = clients.get(era)?.callTool({ name, arguments: args }, patience)
    if (result === undefined) throw new Error('There is no client.')
    return result.catch((error: Error) => error)
  }

  const at = (name: string): Person => {
    const person = people.get(name)
    if (person === undefined) throw new Error(`${name} has no browser.`)
    return person
  }

  /** What the audit has of the last call, each with who did it, and to whom. */
  async function audited(): Promise<string[]> {
    const entries = (await rig.desk?.audit.query()) ?? []
    const last = entries.findLast(({ event }) => event === 'asked')?.session
    const ofCall = entries.filter(({ session }) => session === last)
    return ofCall.map(({ event, by, person }) => [event, by?.principal, person].filter(Boolean).join(' '))
  }

  it.each(eras)(
    'run a call of %s that two agree on, with what one of them changed, and never by who called',
    async era => {
      const result = call(era, 'add', { n: 4 })
      const [rita, ben, cara] = [at('rita'), at('ben'), at('cara')]
      await rita.open('Let "add" run?')
      await rita.page.getByText('You asked for this: others have to accept it.').waitFor()
      expect(await rita.page.getByRole('button', { name: 'Send answer' }).count()).toBe(0)
      await ben.open('Let "add" run?')
      await ben.question('N').locator('#control').fill('5')
      await ben.press('Send answer')
      await ben.page.getByText('Your answer is recorded: 1 of 2 have accepted.').waitFor()
      await cara.open('Let "add" run?')
      await eventually(() => cara.question('N').locator('#control').inputValue()).toBe('5')
      expect(await violations(cara)).toEqual([])
      await cara.press('Send answer')
      expect(await result).toMatchObject({
        structuredContent: { args: { n: 5 } },
        content: [{ text: expect.stringContaining('a person changed its arguments to {"n":5}') }],
      })
      for (const person of [ben, cara])
        await person.page.locator('.result', { hasText: 'Result of the call' }).waitFor()
      expect(await audited()).toEqual(expect.arrayContaining(['asked', 'recorded ben', 'accepted cara', 'reported']))
    },
  )

  it.each(eras)('let a call of %s be handed on, and whoever it was handed on to decides', async era => {
    const result = call(era, 'more')
    const [ben, cara] = [at('ben'), at('cara')]
    await ben.open('Let "more" run?')
    await ben.press('Hand on…')
    await ben.page.getByLabel('Whom to hand it on to').fill('rita')
    await ben.page.keyboard.press('Enter')
    await ben.page.locator('beckon-people [role=alert]').waitFor()
    await ben.page.getByLabel('Whom to hand it on to').fill('cara')
    await ben.page.keyboard.press('Enter')
    await ben.outcome().getByText('Withdrawn').waitFor()
    await cara.open('Let "more" run?')
    await cara.press('Accept')
    // It ran, and the server has no such tool: who let it run sees that.
    expect(await result).toMatchObject({ message: expect.stringContaining('No such thing') })
    await cara.page.locator('.result', { hasText: 'The call failed' }).waitFor()
    expect(await audited()).toEqual(
      expect.arrayContaining(['asked', 'delegated ben cara', 'accepted cara', 'reported']),
    )
  })

  it.each(eras)('ask others about a call of %s when nobody decides', async era => {
    const result = call(era, 'change')
    const [ben, cara] = [at('ben'), at('cara')]
    await ben.open('Let "change" run?')
    expect(await cara.page.locator('beckon-ask-list .row', { hasText: 'Let "change" run?' }).count()).toBe(0)
    await clock.advance(quarterMs)
    await ben.outcome().getByText('Withdrawn').waitFor()
    await cara.open('Let "change" run?')
    await cara.press('Accept')
    expect(await result).toMatchObject({ content: [] })
    await cara.page.locator('.result', { hasText: 'Result of the call' }).waitFor()
    expect(await audited()).toEqual(expect.arrayContaining(['asked', 'escalated', 'accepted cara', 'reported']))
  })

  it.each(eras)('run no call of %s that one of them declines, and the model reads why', async era => {
    const result = call(era, 'add', { n: 7 })
    const [ben, cara] = [at('ben'), at('cara')]
    await ben.open('Let "add" run?')
    await ben.press('Send answer')
    await ben.page.getByText('Your answer is recorded: 1 of 2 have accepted.').waitFor()
    await cara.open('Let "add" run?')
    await cara.press('Add a reason')
    await cara.page.getByLabel('Reason for declining').fill('Not on a Friday.')
    await cara.press('Decline')
    const refused = await result
    expect(refused).toMatchObject({ isError: true })
    expect('content' in refused && textOf(refused)).toMatch(/did not let "add" run\. They said: "Not on a Friday\."/)
    await ben.outcome().getByText('Not on a Friday.').waitFor()
    expect(await audited()).toEqual(expect.arrayContaining(['asked', 'recorded ben', 'declined cara']))
  })
})
