// A day with 1,000 open asks, by keyboard alone: what people do again and again, and what axe says of each of it.

import type { Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { pressOn, tabTo } from './by-keyboard.js'
import { eventually, hasBrowser, type Person, patienceMs, Rig } from './rig.js'
import { violations } from './violations.js'

type Desk = NonNullable<Rig['desk']>
type Subject = Parameters<Desk['open']>[0]
type Opened = Awaited<ReturnType<Desk['open']>>
const still = { reducedMotion: 'reduce' } as const
/** Nothing is sent by itself while the test looks. */
const undoMs = 10 * 60 * 1000
const hourMs = 60 * 60 * 1000

interface Wanted {
  readonly id?: string
  readonly hours?: number
  /** Default: Ana by name. */
  readonly groups?: readonly string[]
}

/** Opens an ask of a call that somebody else made. */
function openOn({ desk }: Rig, subject: Omit<Subject, 'principal'>, message: string, wanted: Wanted = {}) {
  const { id = 'ask', hours = 20, groups } = wanted
  const policy = { audience: groups === undefined ? { principals: ['ana'] } : { groups } }
  const options = { policy, expiresAt: Date.now() + hours * hourMs }
  const opened = desk?.open({ ...subject, principal: 'rita' }, { id, message }, options)
  if (opened === undefined) throw new Error('There is no desk.')
  return opened
}

/** Writes into a field that gets the focus by itself. */
async function typeInto({ page }: Person, name: string, text: string): Promise<void> {
  const isFocused = () => page.getByLabel(name, { exact: true }).evaluate(element => element.matches(':focus'))
  await eventually(isFocused).toBe(true)
  await page.keyboard.type(text)
}

const rowsOf = ({ page }: Person): Locator => page.locator('beckon-ask-list .row')
const nodes = ['a', 'b', 'c', 'd', 'e']

describe.skipIf(!hasBrowser)('1,000 open asks, by keyboard alone', { timeout: 4 * patienceMs }, () => {
  const rig = new Rig()
  let restarts: readonly Opened[]
  let wipes: readonly Opened[]

  beforeAll(async () => {
    await rig.launch()
    await rig.start({ directory: { ops: ['ana', 'bo'] } })
    for (let first = 0; first < 990; first += 90)
      await Promise.all(Array.from({ length: 90 }, (_, at) => refund(first + at, `order-${first + at}`)))
    restarts = await Promise.all(
      nodes.map(node => {
        const subject = { server: 'disk', tool: 'restart', input: { node }, call: node }
        return openOn(rig, subject, 'Restart the node?', { groups: ['ops'] })
      }),
    )
    wipes = await Promise.all(
      nodes.map((node, at) => {
        const subject = { server: 'disk', tool: 'wipe', input: { node }, call: `wipe-${node}`, destructive: true }
        return openOn(rig, subject, `Wipe ${node}?`, { hours: at === 3 ? 0.5 : 10 })
      }),
    )
  }, 4 * patienceMs)

  afterEach(async () => {
    expect(await rig.leave()).toEqual([])
  }, patienceMs)

  afterAll(async () => {
    await rig.clear()
    await rig.close()
  }, patienceMs)

  function refund(order: number, call: string) {
    const subject = { server: 'shop', tool: 'refund', input: { order, slip: `slip-${order}` }, call }
    return openOn(rig, subject, `Refund order ${order}?`)
  }

  async function arrive(): Promise<Person> {
    const ana = await rig.visit('ana', { ...still, undoMs })
    await eventually(() => ana.page.title()).toMatch(/^\(\d{3,4}\+?\) Inbox$/)
    return ana
  }

  /** Lists what the server "disk" asks, and leaves the focus where servers are chosen. */
  async function chooseDisk({ page }: Person): Promise<void> {
    await page.keyboard.press('f')
    await eventually(() => page.locator('#filter-server').evaluate(element => element.matches(':focus'))).toBe(true)
    await page.keyboard.press('ArrowDown')
  }

  /** Finds one ask by words of it, and opens it. */
  async function find(ana: Person, words: string, message: string): Promise<void> {
    const { page } = ana
    await page.keyboard.press('/')
    await page.keyboard.type(words)
    await eventually(() => rowsOf(ana).count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await page.locator('beckon-request .message', { hasText: message }).waitFor()
  }

  it('are narrowed down by server, tool, person, danger and time, put in order, and searched', async () => {
    const ana = await arrive()
    const { page } = ana
    const rows = rowsOf(ana)
    expect(await page.title()).toMatch(/^\(1000\+?\) Inbox$/)
    const older = page.getByRole('button', { name: /^Show older ones/ })
    expect(await older.count()).toBe(1)
    await chooseDisk(ana)
    await eventually(() => rows.count()).toBe(10)
    // That is all there is of it.
    await eventually(() => older.count()).toBe(0)
    await tabTo(ana, 'Tool', 'combobox')
    await page.keyboard.press('ArrowDown')
    await eventually(() => rows.count()).toBe(5)
    // Rows that read the same show what differs.
    await eventually(async () => (await rows.locator('.apart').allTextContents()).sort()).toEqual(
      nodes.map(node => `node: ${node}`),
    )
    expect(await violations(ana)).toEqual([])
    await page.keyboard.press('ArrowUp')
    await eventually(() => rows.count()).toBe(10)
    for (const [name, count] of [
      ['For me', 5],
      ['Destructive', 5],
      ['Due within the hour', 1],
    ] as const) {
      const chip = await tabTo(ana, name)
      await page.keyboard.press('Space')
      await eventually(() => rows.count()).toBe(count)
      expect(await chip.getAttribute('aria-pressed')).toBe('true')
      for (const text of await rows.locator('.message').allTextContents()) expect(text).toMatch(/^Wipe/)
      await page.keyboard.press('Space')
      await eventually(() => rows.count()).toBe(10)
    }
    await tabTo(ana, 'By deadline')
    await page.keyboard.press('Space')
    await eventually(() => rows.first().locator('.message').textContent()).toBe('Wipe d?')
    expect(await violations(ana)).toEqual([])
    await pressOn(ana, 'Clear')
    await eventually(() => rows.count()).toBeGreaterThan(10)
    // By what is in the arguments, and nowhere in the question.
    await find(ana, 'slip-618', 'Refund order 618?')
    expect(await violations(ana)).toEqual([])
  })

  it('are answered several at once, but for what can destroy something, and taken back', async () => {
    const ana = await arrive()
    const { page } = ana
    const rows = rowsOf(ana)
    await chooseDisk(ana)
    await eventually(() => rows.count()).toBe(10)
    await page.keyboard.press('Escape')
    for (let marked = 0; marked < 10; marked++) {
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Space')
    }
    const several = page.locator('beckon-inbox .several')
    await several.getByText('10 marked.').waitFor()
    await several.getByText('5 can destroy something: accept each by itself.').waitFor()
    expect(await several.getByRole('button', { name: 'Accept 10' }).count()).toBe(0)
    expect(await violations(ana)).toEqual([])
    await pressOn(ana, 'Accept 5')
    const held = page.locator('beckon-inbox .banner.held')
    await held.waitFor()
    expect(await violations(ana)).toEqual([])
    // Nobody was told, and nothing was sent.
    await page.keyboard.press('z')
    await held.waitFor({ state: 'detached' })
    expect(await page.locator('beckon-inbox [aria-live]').textContent()).toBe('Taken back: nothing was sent.')
    await eventually(() => rows.count()).toBe(10)
    await page.keyboard.press('f')
    await page.keyboard.press('f')
    await tabTo(ana, 'Tool', 'combobox')
    await page.keyboard.press('ArrowDown')
    await eventually(() => rows.count()).toBe(5)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Home')
    await page.keyboard.press('Space')
    await several.getByText('1 marked.').waitFor()
    await pressOn(ana, 'Mark all')
    await several.getByText('5 marked.').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await pressOn(ana, 'Accept 5')
    await held.waitFor()
    await page.keyboard.press('Shift+Tab')
    await pressOn(ana, 'Send now')
    for (const { outcome } of restarts) expect(await outcome()).toMatchObject({ action: 'accept' })
    expect(wipes.filter(({ isEnded }) => isEnded)).toEqual([])
  })

  it('are declined with a reason, which can be taken back until it is sent', async () => {
    const ana = await arrive()
    const { page } = ana
    await find(ana, 'wipe b', 'Wipe b?')
    await page.locator('beckon-request .arguments dd').getByText('b', { exact: true }).waitFor()
    await pressOn(ana, 'Add a reason')
    await typeInto(ana, 'Reason for declining', 'It holds the backups.')
    expect(await violations(ana)).toEqual([])
    await pressOn(ana, 'Decline')
    await page.getByText('Declined, and not sent yet.').waitFor()
    expect(await violations(ana)).toEqual([])
    await pressOn(ana, 'Undo')
    await tabTo(ana, 'Reason for declining', 'textbox')
    await pressOn(ana, 'Decline')
    await pressOn(ana, 'Send now')
    await ana.outcome().getByText('Declined by you').waitFor()
    expect(await wipes[1]?.outcome()).toMatchObject({ action: 'decline', reason: 'It holds the backups.' })
    expect(await violations(ana)).toEqual([])
  })

  it('are talked about, and handed on', async () => {
    const ana = await arrive()
    const { page } = ana
    await find(ana, 'refund order 412?', 'Refund order 412?')
    await pressOn(ana, 'Comment')
    await typeInto(ana, 'Your comment', 'The parcel came back.')
    expect(await violations(ana)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await page.locator('beckon-people li').getByText('The parcel came back.').waitFor()
    await pressOn(ana, 'Hand on…')
    await typeInto(ana, 'Whom to hand it on to', 'bo')
    expect(await violations(ana)).toEqual([])
    await page.keyboard.press('Enter')
    await ana.outcome().getByText('Withdrawn').waitFor()
    expect(await violations(ana)).toEqual([])
    const told = (await rig.desk?.audit.query({ principal: 'ana' })) ?? []
    expect(told.map(({ event, by, person }) => [event, by?.principal, person])).toEqual(
      expect.arrayContaining([
        ['commented', 'ana', undefined],
        ['delegated', 'ana', 'bo'],
      ]),
    )
    const bo = await rig.visit('bo', still)
    await rowsOf(bo).filter({ hasText: 'Refund order 412?' }).waitFor()
  })

  it('are allowed for good where that is wanted, and asked again once that is revoked', async () => {
    const ana = await arrive()
    const { page } = ana
    await find(ana, 'refund order 517?', 'Refund order 517?')
    await pressOn(ana, 'Always allow…')
    const rule = page.locator('beckon-rule')
    await rule.getByText('with exactly these arguments').first().waitFor()
    await rule.getByText(/it would have accepted 1\./).waitFor()
    expect(await violations(ana)).toEqual([])
    await tabTo(ana, 'With exactly these arguments', 'radio')
    await page.keyboard.press('ArrowDown')
    await rule.getByText(/it would have accepted 9\d\d\./).waitFor()
    await page.keyboard.press('ArrowUp')
    await pressOn(ana, 'Allow from now on, and accept')
    await page.getByText('Accepted, and not sent yet.').waitFor()
    await pressOn(ana, 'Send now')
    await ana.outcome().getByText('Accepted by you').waitFor()
    const allowed = await (await refund(517, 'again')).outcome()
    expect(allowed).toMatchObject({ action: 'accept', by: [{ principal: 'ana' }] })
    expect((await refund(18, 'another')).isEnded).toBe(false)

    await pressOn(ana, 'You')
    await page.getByText('refund of shop').waitFor()
    await pressOn(ana, /^Revoke:/)
    await page.getByText('It is revoked: you are asked again.').waitFor()
    expect(await violations(ana)).toEqual([])
    expect((await refund(517, 'third')).isEnded).toBe(false)
  })

  it('wait while their person is out of office, whom somebody stands in for, and when they sign out', async () => {
    const ana = await arrive()
    const { page } = ana
    await pressOn(ana, 'You')
    await page.getByRole('heading', { name: /You are .*ana/ }).waitFor()
    await page.getByText(/In .*ops/).waitFor()
    await tabTo(ana, 'Who is asked', 'textbox')
    await page.keyboard.type('bo')
    expect(await violations(ana)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText('It is set.').waitFor()
    const bo = await rig.visit('bo', still)
    await refund(1_001, 'away')
    await bo.open('Refund order 1001?')
    await bo.page.getByText(/You stand in for .*ana.*, who is away\./).waitFor()
    expect(await violations(ana)).toEqual([])
    await pressOn(ana, 'I am back')
    await page.getByText('It is ended.').waitFor()

    // What was decided and not sent yet is there before its person goes, who leaves nothing on the page.
    await page.keyboard.press('Escape')
    await find(ana, 'refund order 333?', 'Refund order 333?')
    await pressOn(ana, 'Decline')
    await page.getByText('Declined, and not sent yet.').waitFor()
    await pressOn(ana, 'You')
    await pressOn(ana, 'Sign out')
    const banner = page.locator('beckon-inbox .banner')
    await banner.getByText('You are signed out.').waitFor()
    await eventually(() => page.locator('beckon-inbox').getByText('Refund order').count()).toBe(0)
    expect(await violations(ana)).toEqual([])
    const told = (await rig.desk?.audit.query({ principal: 'ana' })) ?? []
    expect(told.at(-1)).toMatchObject({ event: 'declined', request: expect.stringContaining('order-333') })
  })
})

describe.skipIf(!hasBrowser)('a call', { timeout: 4 * patienceMs }, () => {
  const rig = new Rig()
  rig.attend()

  it('asks its next question by itself, and shows all its arguments before a destructive accept', async () => {
    const about = { server: 'disk', tool: 'wipe', call: 'two', destructive: true }
    const input = { sectors: Array.from({ length: 30_000 }, (_, sector) => sector) }
    const first = await openOn(rig, { ...about, input }, 'First question?', { id: 'one' })
    void openOn(rig, { server: 'other', call: 'x' }, 'Something else?')
    const ana = await rig.visit('ana', { ...still, undoMs: 300 })
    const { page } = ana
    const ask = await ana.open('First question?')
    const accept = ask.getByRole('button', { name: 'Accept' })
    expect(await accept.isDisabled()).toBe(true)
    await ask.getByText('must be on the page before it can be accepted').waitFor()
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
    const second = await openOn(rig, { ...about, input: {} }, 'Second question?', { id: 'two' })
    await page.locator('beckon-request .message', { hasText: 'Second question?' }).waitFor()
    // Whoever looks elsewhere is left there.
    await ana.open('Something else?')
    await second.withdraw()
    await openOn(rig, { ...about, input: {} }, 'Third question?', { id: 'three' })
    await page.locator('beckon-ask-list .row', { hasText: 'Third question?' }).waitFor()
    expect(await page.locator('beckon-request .message').textContent()).toBe('Something else?')
  })
})
