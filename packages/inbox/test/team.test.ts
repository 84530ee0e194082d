// Three people and a call that needs two of them: a real MCP server, a real desk, and three browsers.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { eventually, hasBrowser, type Person, patienceMs, Rig } from './rig.js'
import { violations } from './violations.js'

const rig = new Rig()
const open: { close(): Promise<void> }[] = []
const still = { reducedMotion: 'reduce' } as const
const later = { timeout: 4 * patienceMs }

const quarterMs = 15 * 60 * 1000
const eras = ['2025', '2026'] as const

/** A server whose tools need others than who calls, and a client of Rita's at it. */
async function ritasClient(era: (typeof eras)[number] = '2025'): Promise<Client> {
  const server = rig.newServer('ci', { identify: async () => 'rita' })
  open.push(server)
  const input = z.object({ build: z.number() })
  const approval = { audience: { principals: ['ben', 'cara'] }, quorum: 2 }
  server.tool('deploy', { input, approval }, async ({ build }, ctx) => {
    const outcome = await ctx.confirm.outcome({ question: `Deploy build ${build}?` })
    if (outcome.action !== 'accept') return `Not deployed: ${outcome.reason ?? ''}`
    if (build === 0) throw new Error('There is no build 0.')
    return ctx.json({ deployed: build })
  })
  const one = { audience: { principals: ['ben'] } }
  server.tool('restart', { approval: one }, async (_input, ctx) => {
    const { action, reason } = await ctx.confirm.outcome({ question: 'Restart it?' })
    return `${action} ${reason ?? ''}`
  })
  const either = { audience: { principals: ['ben', 'cara'] }, quorum: 1 }
  server.tool('scale', { approval: either }, async (_input, ctx) =>
    (await ctx.confirm('Scale up?')) ? 'Up.' : 'Same.',
  )
  const withRita = { audience: { principals: ['rita', 'ben'] } }
  server.tool('drain', { approval: withRita }, async (_input, ctx) =>
    (await ctx.confirm('Drain it?')) ? 'Drained.' : 'Same.',
  )
  const escalation = { afterMs: quarterMs, audience: { principals: ['cara'] } }
  server.tool('rollback', { approval: { ...one, escalation } }, async (_input, ctx) => {
    const { action, reason } = await ctx.confirm.outcome({ question: 'Roll back?' })
    return `${action} ${reason ?? ''}`
  })
  const { url } = await server.listen({ port: 0 })
  const mode = era === '2025' ? 'legacy' : { pin: '2026-07-28' }
  const client = new Client({ name: 'agent', version: '1.0.0' }, { capabilities: {}, versionNegotiation: { mode } })
  open.push(client)
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}

const approvalOf = ({ page }: Person) => page.locator('beckon-request .approval')
const plain = (text: string | null): string =>
  (text ?? '')
    .replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

describe.skipIf(!hasBrowser)('three people', { timeout: 4 * patienceMs }, () => {
  rig.attend()
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close()
  }, patienceMs)

  it('are told which call is their own, and are not offered to accept it', async () => {
    const [rita, ben] = [await rig.visit('rita', still), await rig.visit('ben', still)]
    const agent = await ritasClient()
    const result = agent.callTool({ name: 'drain', arguments: {} }, later)
    await rita.open('Drain it?')
    await rita.page.getByText('You asked for this: others have to accept it.').waitFor()
    const button = (name: string) => rita.page.locator('beckon-request').getByRole('button', { name }).count()
    expect([await button('Accept'), await button('Always allow'), await button('Decline')]).toEqual([0, 0, 1])
    expect(await violations(rita)).toEqual([])
    await ben.open('Drain it?')
    await ben.press('Accept')
    expect(await result).toMatchObject({ content: [{ text: 'Drained.' }] })
  })

  it.each(eras)('agree on a call of %s by name, talk about it, and see what came of it', async era => {
    const [rita, ben, cara] = [
      await rig.visit('rita', still),
      await rig.visit('ben', still),
      await rig.visit('cara', { ...still, colorScheme: 'dark' }),
    ]
    const agent = await ritasClient(era)
    const result = agent.callTool({ name: 'deploy', arguments: { build: 1842 } }, later)
    await ben.open('Deploy build 1842?')
    await cara.open('Deploy build 1842?')
    await eventually(async () => plain(await approvalOf(ben).textContent())).toBe(
      '2 have to accept; nobody has yet. Not yet: you and cara.',
    )
    // Who called is none of those who agree, and has nothing to answer.
    expect(await rita.page.locator('beckon-ask-list .row').count()).toBe(0)

    await ben.press('Comment')
    await ben.page.getByLabel('Your comment').fill('Is the migration <b>in</b>?')
    await ben.page.keyboard.press('Control+Enter')
    const talk = (person: Person) => person.page.locator('beckon-people li')
    await talk(cara).getByText('Is the migration <b>in</b>?').waitFor()
    expect(await violations(cara)).toEqual([])
    await cara.press('Comment')
    await cara.page.getByLabel('Your comment').fill('It is.')
    await cara.page.locator('beckon-people').getByRole('button', { name: 'Comment' }).click()
    await eventually(() => talk(ben).count()).toBe(2)

    await ben.press('Accept')
    await ben.page.getByText('Your answer is recorded: 1 of 2 have accepted.').waitFor()
    await eventually(async () => plain(await approvalOf(cara).textContent())).toBe(
      'ben accepted: 1 of 2. Not yet: you.',
    )
    expect(await violations(ben)).toEqual([])
    await cara.press('Accept')
    expect(await result).toMatchObject({ structuredContent: { deployed: 1842 } })
    for (const person of [ben, cara]) {
      const came = person.page.locator('beckon-request .result')
      await came.getByText('Result of the call').waitFor()
      await came.getByText('"deployed": 1842').waitFor()
    }
    await eventually(async () => plain(await approvalOf(ben).textContent())).toBe('You and cara accepted: 2 of 2.')
    expect(await violations(cara)).toEqual([])

    const failed = agent.callTool({ name: 'deploy', arguments: { build: 0 } }, later)
    for (const person of [ben, cara]) {
      await person.open('Deploy build 0?')
      await person.press('Accept')
    }
    expect(await failed).toMatchObject({ isError: true })
    await cara.page.locator('beckon-request .result', { hasText: 'The call failed' }).waitFor()
  })

  it('are asked one after the other where nobody decides, and all of it is in the audit', async () => {
    await rig.stop()
    const clock = await rig.startWithClock()
    const [rita, ben, cara] = [
      await rig.visit('rita', still),
      await rig.visit('ben', still),
      await rig.visit('cara', still),
    ]
    const agent = await ritasClient('2026')
    const rolled = agent.callTool({ name: 'rollback' }, later)
    await ben.open('Roll back?')
    expect(await cara.page.locator('beckon-ask-list .row').count()).toBe(0)
    await clock.advance(quarterMs)
    await ben.outcome().getByText('Withdrawn').waitFor()
    await cara.open('Roll back?')
    await cara.press('Hand on…')
    await cara.page.getByLabel('Whom to hand it on to').fill('ben')
    await cara.page.keyboard.press('Enter')
    await cara.outcome().getByText('Withdrawn').waitFor()
    await ben.open('Roll back?')
    await ben.press('Add a reason')
    await ben.page.getByLabel('Reason for declining').fill('It is mended already.')
    await ben.press('Decline')
    expect(await rolled).toMatchObject({ content: [{ text: 'decline It is mended already.' }] })
    expect(await rita.page.locator('beckon-ask-list .row').count()).toBe(0)
    const told = (await rig.desk?.audit.query()) ?? []
    const events = told.map(({ event, by, person }) => [event, by?.principal, person].filter(Boolean).join(' '))
    expect(events).toEqual(
      expect.arrayContaining(['asked', 'escalated', 'delegated cara ben', 'declined ben', 'reported']),
    )
  })

  it('hand an ask on, stand in for who is away, and come second with what was held back', async () => {
    const [ben, cara] = [await rig.visit('ben', { ...still, undoMs: 600_000 }), await rig.visit('cara', still)]
    const agent = await ritasClient()
    const restarted = agent.callTool({ name: 'restart' }, later)
    await ben.open('Restart it?')
    await ben.press('Hand on…')
    await ben.page.getByLabel('Whom to hand it on to').fill('rita')
    await ben.page.keyboard.press('Enter')
    await ben.page.locator('beckon-people [role=alert]').waitFor()
    expect(await violations(ben)).toEqual([])
    await ben.page.getByLabel('Whom to hand it on to').fill('cara')
    await ben.page.keyboard.press('Enter')
    await ben.outcome().getByText('Withdrawn').waitFor()
    await cara.open('Restart it?')
    await cara.press('Add a reason')
    await cara.page.getByLabel('Reason for declining').fill('Not now.')
    await cara.press('Decline')
    expect(await restarted).toMatchObject({ content: [{ text: 'decline Not now.' }] })

    // Out of office: who stands in is asked, and told for whom.
    await ben.page.locator('#account').click()
    await ben.page.getByLabel('Who is asked').fill('cara')
    expect(await violations(ben)).toEqual([])
    await ben.page.getByRole('button', { name: 'Set', exact: true }).click()
    await ben.page.getByText('It is set.').waitFor()
    const again = agent.callTool({ name: 'restart' }, later)
    await cara.open('Restart it?')
    await cara.page.getByText(/You stand in for .*ben.*, who is away\./).waitFor()
    await cara.press('Accept')
    expect(await again).toMatchObject({ content: [{ text: 'accept ' }] })
    await ben.page.getByRole('button', { name: 'I am back' }).click()
    await ben.page.getByText('It is ended.').waitFor()
    await ben.page.keyboard.press('Escape')

    // What Ben decided is held back, so that Cara is first.
    const scaled = agent.callTool({ name: 'scale' }, later)
    await ben.open('Scale up?')
    await ben.press('Accept')
    await ben.page.getByText('Accepted, and not sent yet.').waitFor()
    await cara.open('Scale up?')
    await cara.press('Decline')
    expect(await scaled).toMatchObject({ content: [{ text: 'Same.' }] })
    await ben.outcome().getByText('Already answered by').waitFor()
    await ben.outcome().getByText('Declined by').waitFor()

    // What is held back is sent when its person leaves.
    const left = agent.callTool({ name: 'scale' }, later)
    await ben.open('Scale up?')
    await ben.press('Accept')
    await ben.page.getByText('Accepted, and not sent yet.').waitFor()
    await ben.page.goto('about:blank')
    expect(await left).toMatchObject({ content: [{ text: 'Up.' }] })
  })
})
