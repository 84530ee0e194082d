// A day with 1,000 open asks, by keyboard alone: what people do again and again, and what axe says of each of it.

import type { AskSubject, DeskPolicy } from 'beckon/desk/adapter'
import { describe, expect, it } from 'vitest'
import { eventually, hasBrowser, type Person, patienceMs, Rig } from './rig.js'
import { violations } from './violations.js'

const rig = new Rig()
const still = { reducedMotion: 'reduce' } as const
/** Nothing is sent by itself while the test looks. */
const undoMs = 10 * 60 * 1000
const hourMs = 60 * 60 * 1000

/** Opens an ask of a call, for Ana by name. */
function openFor(subject: Omit<AskSubject, 'principal'>, message: string, more: { id?: string; hours?: number } = {}) {
  const policy: DeskPolicy = { audience: { principals: ['ana'] }, requesterCounts: true }
  const expiresAt = Date.now() + (more.hours ?? 20) * hourMs
  const opened = rig.desk?.open(
    { ...subject, principal: 'ana' },
    { id: more.id ?? 'ask', message },
    { policy, expiresAt },
  )
  if (opened === undefined) throw new Error('There is no desk.')
  return opened
}

/** Goes on with Tab until something with this name has the focus. */
async function tabTo({ page }: Person, name: string | RegExp, role: 'button' | 'radio' = 'button'): Promise<void> {
  const wanted = page.getByRole(role, { name })
  await wanted.first().waitFor()
  for (let steps = 0; steps < 40; steps++) {
    if (await wanted.first().evaluate(element => element.matches(':focus'))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${name}.`)
}

describe.skipIf(!hasBrowser)('1,000 open asks, by keyboard alone', { timeout: 4 * patienceMs }, () => {
  rig.attend()

  it('are filtered, told apart, answered several at once, taken back, and allowed for good', async () => {
    for (let index = 0; index < 990; index += 90) {
      await Promise.all(
        Array.from({ length: 90 }, (_, at) => {
          const call = `order-${index + at}`
          return openFor(
            { server: 'shop', tool: 'refund', input: { order: index + at }, call },
            `Refund order ${index + at}?`,
          )
        }),
      )
    }
    const nodes = ['a', 'b', 'c', 'd', 'e']
    const restarts = await Promise.all(
      nodes.map(node => openFor({ server: 'disk', tool: 'restart', input: { node }, call: node }, 'Restart the node?')),
    )
    const wipes = await Promise.all(
      nodes.map((node, at) =>
        openFor(
          { server: 'disk', tool: 'wipe', input: { node }, call: `wipe-${node}`, destructive: true },
          `Wipe ${node}?`,
          {
            hours: at === 3 ? 0.5 : 10,
          },
        ),
      ),
    )
    const ana = await rig.visit('ana', { ...still, undoMs })
    const { page } = ana
    const rows = page.locator('beckon-ask-list .row')
    const shown = page.locator('beckon-request .message')
    await eventually(() => page.title()).toMatch(/^\(1000\+?\) Inbox$/)

    // Filters: the server, then what is due first.
    await page.keyboard.press('f')
    await eventually(() => page.locator('#filter-server').evaluate(element => element.matches(':focus'))).toBe(true)
    await page.keyboard.press('ArrowDown')
    await eventually(() => rows.count()).toBe(10)
    await tabTo(ana, 'By deadline')
    await page.keyboard.press('Space')
    await eventually(() => rows.first().locator('.message').textContent()).toBe('Wipe d?')
    await tabTo(ana, 'Due within the hour')
    await page.keyboard.press('Space')
    await eventually(() => rows.count()).toBe(1)
    await page.keyboard.press('Space')
    await eventually(() => rows.count()).toBe(10)
    await tabTo(ana, 'By deadline')
    await page.keyboard.press('Space')
    expect(await violations(ana)).toEqual([])

    // Rows that read the same show what differs.
    const same = rows.filter({ hasText: 'Restart the node?' })
    await eventually(async () => (await same.locator('.apart').allTextContents()).sort()).toEqual(
      nodes.map(node => `node: ${node}`),
    )

    // Several at once: what can destroy something is left out, and that is said.
    await page.keyboard.press('Escape')
    for (let marked = 0; marked < 10; marked++) {
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Space')
    }
    const several = page.locator('beckon-inbox .several')
    await several.getByText('10 marked.').waitFor()
    await several.getByText('5 can destroy something: accept each by itself.').waitFor()
    expect(await violations(ana)).toEqual([])
    await tabTo(ana, 'Accept 5')
    await page.keyboard.press('Enter')
    const held = page.locator('beckon-inbox .banner.held')
    await held.waitFor()
    expect(await violations(ana)).toEqual([])
    // Nobody was told, and nothing was sent.
    await page.keyboard.press('z')
    await held.waitFor({ state: 'detached' })
    expect(await page.locator('beckon-inbox [aria-live]').textContent()).toBe('Taken back: nothing was sent.')
    await eventually(() => rows.count()).toBe(10)
    for (const row of await same.all()) await row.click({ modifiers: ['Control'] })
    await several.getByText('5 marked.').waitFor()
    await tabTo(ana, 'Accept 5')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Shift+Tab')
    await tabTo(ana, 'Send now')
    await page.keyboard.press('Enter')
    for (const { outcome } of restarts) expect(await outcome()).toMatchObject({ action: 'accept' })
    await eventually(() => rows.count()).toBe(5)

    // One that can destroy something, taken back once, then sent.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await shown.getByText('Wipe').waitFor()
    await page
      .locator('beckon-request .arguments dd')
      .getByText(/^[a-e]$/)
      .waitFor()
    await tabTo(ana, 'Decline')
    await page.keyboard.press('Enter')
    await page.getByText('Declined, and not sent yet.').waitFor()
    expect(await violations(ana)).toEqual([])
    await tabTo(ana, 'Undo')
    await page.keyboard.press('Enter')
    await tabTo(ana, 'Decline')
    await page.keyboard.press('Enter')
    await tabTo(ana, 'Send now')
    await page.keyboard.press('Enter')
    await ana.outcome().getByText('Declined by you').waitFor()
    const answers = await Promise.all(wipes.map(({ isEnded, outcome }) => (isEnded ? outcome() : undefined)))
    expect(answers.filter(Boolean)).toEqual([])

    // A rule, made where it is wanted: the next such call asks nobody.
    await page.keyboard.press('/')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('f')
    await page.keyboard.press('f')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('/')
    await page.keyboard.type('refund order 517?')
    await eventually(() => rows.count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await shown.getByText('Refund order 517?').waitFor()
    await tabTo(ana, 'Always allow…')
    await page.keyboard.press('Enter')
    const rule = page.locator('beckon-rule')
    await rule.getByText('with exactly these arguments').first().waitFor()
    await rule.getByText(/it would have accepted 1\./).waitFor()
    expect(await violations(ana)).toEqual([])
    await tabTo(ana, 'With exactly these arguments', 'radio')
    await page.keyboard.press('ArrowDown')
    await rule.getByText(/it would have accepted 990\./).waitFor()
    await page.keyboard.press('ArrowUp')
    await tabTo(ana, 'Allow from now on, and accept')
    await page.keyboard.press('Enter')
    await page.getByText('Accepted, and not sent yet.').waitFor()
    await tabTo(ana, 'Send now')
    await page.keyboard.press('Enter')
    await ana.outcome().getByText('Accepted by you').waitFor()
    const call = (order: number, id: string) =>
      openFor({ server: 'shop', tool: 'refund', input: { order }, call: id }, `Refund order ${order}?`)
    const allowed = await (await call(517, 'again')).outcome()
    expect(allowed).toMatchObject({ action: 'accept', by: [{ principal: 'ana' }] })
    expect((await call(18, 'another')).isEnded).toBe(false)

    // Who one is, and what one always allows: revoked, it asks again.
    await page.locator('#account').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /You are .*ana/ }).waitFor()
    await page.getByText('refund of shop').waitFor()
    expect(await violations(ana)).toEqual([])
    await tabTo(ana, /^Revoke:/)
    await page.keyboard.press('Enter')
    await page.getByText('It is revoked: you are asked again.').waitFor()
    expect((await call(517, 'third')).isEnded).toBe(false)
    await page.keyboard.press('Escape')
  })

  it('ask the next question of a call by themselves, and show all arguments before a destructive accept', async () => {
    const about = { server: 'disk', tool: 'wipe', call: 'two', destructive: true }
    const input = { sectors: Array.from({ length: 30_000 }, (_, sector) => sector) }
    const first = await openFor({ ...about, input }, 'First question?', { id: 'one' })
    void openFor({ server: 'other', call: 'x' }, 'Something else?')
    const ana = await rig.visit('ana', { ...still, undoMs: 300 })
    const { page } = ana
    const ask = await ana.open('First question?')
    const accept = ask.getByRole('button', { name: 'Accept' })
    expect(await accept.isDisabled()).toBe(true)
    await ask.getByText('has to be on the page before it can be accepted').waitFor()
    await page.keyboard.press('Control+Enter')
    expect(await violations(ana)).toEqual([])
    await tabTo(ana, /^Show all of it/)
    await page.keyboard.press('Enter')
    await eventually(() => ask.locator('.arguments dd').textContent()).toContain('29999')
    await eventually(() => accept.isDisabled()).toBe(false)
    await tabTo(ana, 'Accept')
    await page.keyboard.press('Enter')
    expect(await first.outcome()).toMatchObject({ action: 'accept' })
    await ana.outcome().getByText('Accepted by you').waitFor()
    const second = await openFor({ ...about, input: {} }, 'Second question?', { id: 'two' })
    await page.locator('beckon-request .message', { hasText: 'Second question?' }).waitFor()
    // Whoever looks elsewhere is left there.
    await ana.open('Something else?')
    await second.withdraw()
    await openFor({ ...about, input: {} }, 'Third question?', { id: 'three' })
    await page.locator('beckon-ask-list .row', { hasText: 'Third question?' }).waitFor()
    expect(await page.locator('beckon-request .message').textContent()).toBe('Something else?')
    // What is held back is sent when someone leaves the page, and taken back when somebody else was first.
    await ana.open('Third question?')
  })
})
