import type { Question } from '@beckon/core'
import { describe, expect, it } from 'vitest'
import { eventually, hasBrowser, type Person, patienceMs, Rig } from './rig.js'

const rig = new Rig()
const form: Question[] = [
  { id: 'name', kind: 'text', title: 'Name', message: 'Name', required: true, max: 100 },
  { id: 'note', kind: 'text', title: 'Note', message: 'Note' },
  { id: 'count', kind: 'integer', title: 'Count', message: 'Count' },
]
const control = (person: Person, title: string) => person.question(title).locator('#control')
const shownTo = (person: Person, title: string) => eventually(() => control(person, title).inputValue())
const online = (person: Person) => person.page.locator('beckon-inbox .banner').waitFor({ state: 'detached' })

describe.skipIf(!hasBrowser)('people who share an ask', { timeout: 4 * patienceMs }, () => {
  rig.attend()

  it('see each other type, and nothing changes under anyone’s hands', async () => {
    const outcome = rig.ask({ message: 'Fill this in', questions: form })
    const [ana, ben] = [await rig.visit('ana'), await rig.visit('ben')]
    await ana.open('Fill this in')
    await ben.open('Fill this in')
    const typing = ben.sees('Name', 'is typing…')
    await control(ana, 'Name').pressSequentially('Ana')
    await shownTo(ben, 'Name').toBe('Ana')
    await typing

    await control(ben, 'Note').pressSequentially('Hello')
    await shownTo(ana, 'Note').toBe('Hello')
    // Both are in the same field, Ben in the middle of it: Ana's words do not replace his, and his caret stays.
    for (let steps = 0; steps < 3; steps++) await control(ben, 'Note').press('ArrowLeft')
    await control(ben, 'Note').press('x')
    await shownTo(ana, 'Note').toBe('Hexllo')
    await control(ana, 'Note').fill('Ana’s words')
    await ben.question('Note').getByText('changed this.').waitFor()
    expect(await control(ben, 'Note').inputValue()).toBe('Hexllo')
    expect(await control(ben, 'Note').evaluate(field => (field as HTMLTextAreaElement).selectionStart)).toBe(3)
    await ben.question('Note').getByRole('button', { name: 'Use that' }).click()
    await shownTo(ben, 'Note').toBe('Ana’s words')

    await ben.press('Send answer')
    expect(await outcome).toMatchObject({
      action: 'accept',
      by: [{ principal: 'ben' }],
      content: { name: 'Ana', note: 'Ana’s words' },
    })
    await ana.outcome().getByText('Accepted by').waitFor()
    expect(await ana.outcome().locator('strong').textContent()).toContain('ben')
  })

  it('are told who was first when they come second', async () => {
    const outcome = rig.ask({ message: 'Deploy?' })
    const [ana, ben] = [await rig.visit('ana'), await rig.visit('ben')]
    await ana.open('Deploy?')
    await ben.open('Deploy?')
    // Ana's connection is slow: her answer leaves only after Ben's has been taken.
    await ana.page.context().setOffline(true)
    await rig.stop()
    await ana.page.locator('beckon-inbox .banner').waitFor()
    await ana.press('Accept')
    await ana.page.getByText('It will be sent when the connection is back.').waitFor()
    await rig.start()
    const again = rig.ask({ id: 'unrelated', message: 'Something else' }, { server: 'ci' })
    await online(ben)
    await ben.press('Decline')
    await ben.outcome().getByText('Declined by you').waitFor()
    await ana.page.context().setOffline(false)
    await ana.outcome().getByText('Already answered by').waitFor()
    expect(await ana.outcome().textContent()).toContain('ben')
    expect(await ana.outcome().locator('strong').textContent()).toContain('Declined by')
    await (await rig.turn('ci')).complete()
    expect(await again).toEqual({ action: 'cancel', why: 'withdrawn' })
    // The desk that put it is gone, and with it whoever waited.
    void outcome.catch(() => {})
  })

  it('are told at once who was first, when both answered at the same time', async () => {
    const outcome = rig.ask({ message: 'Deploy?' })
    const [ana, ben] = [await rig.visit('ana', { isOnSlowLine: true }), await rig.visit('ben')]
    await ana.open('Deploy?')
    await ben.open('Deploy?')
    // What Ben does is still on its way to Ana when she answers.
    const arrive = ana.delay()
    await ben.press('Decline')
    expect(await outcome).toMatchObject({ action: 'decline', by: [{ principal: 'ben' }] })
    await ana.press('Accept')
    await ana.page.getByText('Sending…').waitFor()
    arrive()
    await ana.outcome().getByText('Already answered by').waitFor()
    expect(await ana.outcome().locator('strong').textContent()).toMatch(/Declined by.*ben/)
    await ben.outcome().getByText('Declined by you').waitFor()
    expect(await ben.page.getByText('Already answered').count()).toBe(0)
  })

  it('find their drafts after a reload', async () => {
    void rig.ask({ message: 'Fill this in', questions: form })
    const ana = await rig.visit('ana')
    await ana.open('Fill this in')
    await control(ana, 'Name').pressSequentially('Half a na')
    await ana.page.reload()
    await ana.open('Fill this in')
    await shownTo(ana, 'Name').toBe('Half a na')
  })

  it('go on where they were when the desk is started again', async () => {
    void rig.ask({ id: 'kept', message: 'Fill this in', questions: form })
    const ana = await rig.visit('ana')
    await ana.open('Fill this in')
    await control(ana, 'Name').pressSequentially('Ana')
    await control(ana, 'Note').focus()
    await eventually(() => ana.page.evaluate(() => Object.keys(localStorage).length)).toBe(0)
    await rig.stop()
    await ana.page.getByText('No connection.').waitFor()
    await control(ana, 'Note').pressSequentially('written while it was away')
    await rig.start()
    await online(ana)
    expect(await control(ana, 'Note').inputValue()).toBe('written while it was away')
    const outcome = rig.ask({ id: 'kept', message: 'Fill this in', questions: form })
    const ben = await rig.visit('ben')
    await ben.open('Fill this in')
    await shownTo(ben, 'Note').toBe('written while it was away')
    await shownTo(ben, 'Name').toBe('Ana')
    await ana.press('Send answer')
    expect(await outcome).toMatchObject({
      action: 'accept',
      content: { name: 'Ana', note: 'written while it was away' },
    })
  })

  it('lose nothing in an hour without a connection', async () => {
    void rig.ask({ message: 'Fill this in', questions: form })
    const ana = await rig.visit('ana')
    await ana.page.clock.install()
    await ana.page.reload()
    await ana.open('Fill this in')
    await rig.stop()
    await ana.page.getByText('No connection.').waitFor()
    await control(ana, 'Note').pressSequentially('written before')
    await ana.page.clock.runFor('01:00:00')
    await control(ana, 'Note').pressSequentially(' and after an hour')
    await control(ana, 'Count').fill('7')
    await control(ana, 'Name').focus()
    await ana.page.clock.runFor(1_000)
    expect(await control(ana, 'Note').inputValue()).toBe('written before and after an hour')
    await rig.start()
    // Unless the page was faster by itself: then there is no such button any more.
    const tryNow = ana.page.getByRole('button', { name: 'Try now' })
    await tryNow.evaluateAll(buttons => {
      for (const button of buttons) if (button instanceof HTMLElement) button.click()
    })
    await eventually(async () => {
      await ana.page.clock.runFor(1_000)
      return ana.page.locator('beckon-inbox .banner').count()
    }).toBe(0)
    const ben = await rig.visit('ben')
    await ben.open('Fill this in')
    await shownTo(ben, 'Note').toBe('written before and after an hour')
    await shownTo(ben, 'Count').toBe('7')
  })

  it('keep what they wrote while nothing could be sent, also when the page is closed meanwhile', async () => {
    void rig.ask({ message: 'Fill this in', questions: form })
    const ana = await rig.visit('ana')
    await ana.open('Fill this in')
    await rig.stop()
    await ana.page.getByText('No connection.').waitFor()
    await control(ana, 'Note').fill('an hour of work')
    await control(ana, 'Name').focus()
    const tab = await ana.page.context().newPage()
    await ana.page.close()
    await rig.start()
    await tab.goto(rig.url)
    await tab.locator('beckon-ask-list .row').first().click()
    const note = tab.locator('beckon-question').nth(1).locator('#control')
    await eventually(() => note.inputValue()).toBe('an hour of work')
    await eventually(() => tab.evaluate(() => Object.keys(localStorage).length)).toBe(0)
    const ben = await rig.visit('ben')
    await ben.open('Fill this in')
    await shownTo(ben, 'Note').toBe('an hour of work')
  })

  it('see at once that an ask went on to others', async () => {
    await rig.stop()
    const clock = await rig.startWithClock()
    const escalation = { afterMs: 1_000, audience: { principals: ['ben'] } }
    const outcome = rig.ask({ message: 'Deploy?' }, { audience: { principals: ['ana'] }, escalation })
    const [ana, ben] = [await rig.visit('ana'), await rig.visit('ben')]
    await ana.open('Deploy?')
    await clock.advance(escalation.afterMs)
    await ana.outcome().getByText('Withdrawn').waitFor()
    await eventually(() => ana.page.title()).toBe('Inbox')
    await ben.open('Deploy?')
    await ben.press('Accept')
    expect(await outcome).toMatchObject({ action: 'accept', by: [{ principal: 'ben' }] })
  })

  it('see only what is for them, and what is withdrawn goes', async () => {
    const abort = new AbortController()
    void rig.ask({ message: 'For Ben alone' }, { audience: { principals: ['ben'] } })
    void rig.ask({ message: 'For everyone' }, { signal: abort.signal })
    const [ana, ben] = [await rig.visit('ana'), await rig.visit('ben')]
    await ben.page.locator('beckon-ask-list .row', { hasText: 'For Ben alone' }).waitFor()
    await ana.open('For everyone')
    expect(await ana.page.locator('beckon-ask-list .row').count()).toBe(1)
    abort.abort()
    await ana.outcome().getByText('Withdrawn').waitFor()
    await ana.page.getByText('Nothing to answer').waitFor()
  })
})
