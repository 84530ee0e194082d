import type { Question } from '@beckon/core'
import { describe, expect, it } from 'vitest'
import { eventually, hasBrowser, patienceMs, Rig } from './rig.js'

const rig = new Rig()
const options = (...labels: string[]) => labels.map(label => ({ id: label.toLowerCase(), label }))

describe.skipIf(!hasBrowser)('a person at the inbox', { timeout: 4 * patienceMs }, () => {
  rig.attend()

  it('accepts a confirm', async () => {
    const outcome = rig.ask({
      message: 'Remove 5 todos?',
      _meta: { 'beckon/tool': 'clear_done', 'beckon/arguments': { list: 'home', done: { before: 5 } } },
    })
    const ana = await rig.visit('ana')
    const ask = await ana.open('Remove 5 todos?')
    await eventually(() => ask.locator('h2').textContent()).toContain('clear_done')
    expect(await ask.locator('pre').textContent()).toContain('"list": "home"')
    await ana.press('Accept')
    expect(await outcome).toMatchObject({ action: 'accept', by: [{ principal: 'ana' }] })
    await ana.outcome().getByText('Accepted by you').waitFor()
  })

  it('declines with a reason, and dismisses, which is another thing', async () => {
    const declined = rig.ask({ message: 'Deploy?' })
    const dismissed = rig.ask({ message: 'Restart?' }, { server: 'ci' })
    const ana = await rig.visit('ana')
    await ana.open('Deploy?')
    await ana.press('Add a reason')
    await ana.page.getByLabel('Reason for declining').fill('Not on a Friday.')
    await ana.press('Decline')
    expect(await declined).toEqual({ action: 'decline', reason: 'Not on a Friday.', by: [{ principal: 'ana' }] })
    await ana.outcome().getByText('Not on a Friday.').waitFor()
    await ana.open('Restart?')
    await ana.press('Dismiss')
    expect(await dismissed).toEqual({ action: 'cancel', by: [{ principal: 'ana' }] })
    await ana.outcome().getByText('Dismissed by you').waitFor()
  })

  it('declines by keyboard from where the reason is written', async () => {
    const outcome = rig.ask({ message: 'Remove it all?' })
    const ana = await rig.visit('ana')
    await ana.open('Remove it all?')
    await ana.press('Add a reason')
    await ana.page.keyboard.type('Not today.')
    await ana.page.keyboard.press('Control+Enter')
    expect(await outcome).toMatchObject({ action: 'decline', reason: 'Not today.' })
  })

  it('answers every kind of question', async () => {
    const many = options('Bills', 'Car', 'Family', 'Health', 'House', 'Taxes', 'Travel')
    const questions: Question[] = [
      { id: 'name', kind: 'text', title: 'Name', message: 'Who?', required: true, min: 2, max: 50 },
      { id: 'mail', kind: 'text', title: 'Mail', message: 'Mail', format: 'email' },
      { id: 'site', kind: 'text', title: 'Site', message: 'Site', format: 'uri' },
      { id: 'day', kind: 'text', title: 'Day', message: 'Day', format: 'date' },
      { id: 'when', kind: 'text', title: 'Moment', message: 'Moment', format: 'date-time' },
      { id: 'note', kind: 'text', title: 'Note', message: 'Note', max: 5000 },
      { id: 'price', kind: 'number', title: 'Price', message: 'Price' },
      { id: 'count', kind: 'integer', title: 'Count', message: 'Count', min: 1, max: 9 },
      { id: 'gift', kind: 'boolean', title: 'Gift', message: 'Gift' },
      { id: 'size', kind: 'single-select', title: 'Size', message: 'Size', options: options('Small', 'Large') },
      { id: 'folder', kind: 'single-select', title: 'Folder', message: 'Folder', options: many },
      {
        id: 'colour',
        kind: 'single-select',
        title: 'Colour',
        message: 'Colour',
        options: options('Red', 'Blue'),
        allowFreeformInput: true,
      },
      {
        id: 'tags',
        kind: 'multi-select',
        title: 'Tags',
        message: 'Tags',
        options: options('Paper', 'Signed', 'Old'),
        allowFreeformInput: true,
        min: 1,
      },
      { id: 'kept', kind: 'text', title: 'Kept', message: 'Kept', defaultValue: 'as it was' },
      { id: 'left', kind: 'number', title: 'Left', message: 'Left' },
    ]
    const outcome = rig.ask({ message: 'Tell us everything', questions })
    const ana = await rig.visit('ana')
    await ana.open('Tell us everything')
    const fill = (title: string, text: string) => ana.question(title).locator('#control').fill(text)
    await fill('Name', 'Ana')
    await fill('Mail', 'ana@example.com')
    await fill('Site', 'https://example.com/a')
    await fill('Day', '2026-07-28')
    await fill('Moment', '2026-07-28T09:30')
    await fill('Note', 'One\nTwo')
    await fill('Price', '12.5')
    await fill('Count', '3')
    await ana.question('Gift').getByLabel('No').check()
    await ana.question('Size').getByLabel('Large').check()
    await fill('Folder', 'tax')
    await ana.question('Folder').getByRole('option', { name: 'Taxes' }).click()
    await ana.question('Colour').getByLabel('Other…').check()
    await ana.question('Colour').getByLabel('Your own answer').fill('Teal')
    await ana.question('Tags').getByLabel('Paper').check()
    await ana.question('Tags').getByLabel('Old').check()
    await ana.question('Tags').getByLabel('Other…').check()
    await ana.question('Tags').getByLabel('Your own answer').first().fill('Blue')
    await ana.press('Send answer')
    expect(await outcome).toEqual({
      action: 'accept',
      by: [{ principal: 'ana' }],
      content: {
        name: 'Ana',
        mail: 'ana@example.com',
        site: 'https://example.com/a',
        day: '2026-07-28',
        when: '2026-07-28T09:30:00+02:00',
        note: 'One\nTwo',
        price: 12.5,
        count: 3,
        gift: false,
        size: 'large',
        folder: 'taxes',
        colour: 'Teal',
        tags: ['paper', 'old', 'Blue'],
        kept: 'as it was',
      },
    })
    await ana.outcome().getByText('Accepted by you').waitFor()
    await ana.page.locator('beckon-request .answers').getByText('Taxes').waitFor()
  })

  it('gets one line for a text, and several when they want them, by a name that says what it is', async () => {
    const outcome = rig.ask({
      message: 'Two texts',
      questions: [
        { id: 'on', kind: 'text', title: 'on', message: 'The day of departure' },
        { id: 'extraWishes', kind: 'text', title: 'extraWishes', message: 'extraWishes' },
      ],
    })
    const ana = await rig.visit('ana')
    await ana.open('Two texts')
    expect(await ana.question('The day of departure').locator('.title code').textContent()).toBe('on')
    const first = ana.question('The day of departure').locator('#control')
    const second = ana.question('Extra wishes').locator('#control')
    expect(await first.evaluate(({ tagName }) => tagName)).toBe('INPUT')
    await second.fill('before ')
    await second.evaluate(field => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'one\r\ntwo')
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    await eventually(() => second.evaluate(field => [field.tagName, field.matches(':focus')])).toEqual([
      'TEXTAREA',
      true,
    ])
    await ana.question('The day of departure').getByRole('button', { name: 'Several lines' }).click()
    await eventually(() => first.evaluate(field => field.matches('textarea:focus'))).toBe(true)
    await ana.page.keyboard.type('Monday')
    await ana.press('Send answer')
    expect(await outcome).toMatchObject({ content: { on: 'Monday', extraWishes: 'before one\ntwo' } })
  })

  it('is told at the field, in words, what is wrong, and led to the first of it', async () => {
    const outcome = rig.ask({
      message: 'Two things',
      questions: [
        { id: 'count', kind: 'integer', title: 'Count', message: 'Count', min: 1, max: 9, required: true },
        { id: 'mail', kind: 'text', title: 'Mail', message: 'Mail', format: 'email' },
      ],
    })
    const ana = await rig.visit('ana')
    await ana.open('Two things')
    await ana.question('Mail').locator('#control').fill('ana@')
    // Nothing is said of what is still being written.
    expect(await ana.question('Mail').locator('.problem').textContent()).toBe('')
    await ana.press('Send answer')
    await ana.question('Count').getByText('An answer is required.').waitFor()
    await ana.question('Mail').getByText('Enter an e-mail address').waitFor()
    await ana.page.getByText('2 answers are missing or need a change.').waitFor()
    await eventually(() => ana.question('Count').evaluate(element => element.matches(':focus'))).toBe(true)
    await ana.page.keyboard.type('12')
    await ana.question('Count').getByText('Enter 9 or less.').waitFor()
    await ana.question('Count').locator('#control').fill('4')
    await ana.page.getByText('One answer is missing or needs a change.').waitFor()
    await ana.question('Mail').locator('#control').fill('')
    await ana.press('Send answer')
    expect(await outcome).toMatchObject({ action: 'accept', content: { count: 4 } })
  })

  it('answers by keyboard alone', async () => {
    const { page, outcome } = await rig.visit('ana')
    const rows = page.locator('beckon-ask-list .row')
    const confirmed = rig.ask({ message: 'First?' }, { server: 'ci' })
    await rows.filter({ hasText: 'First?' }).waitFor()
    const filled = rig.ask({
      message: 'Second?',
      questions: [
        { id: 'name', kind: 'text', title: 'Name', message: 'Name', required: true, max: 20 },
        {
          id: 'size',
          kind: 'single-select',
          title: 'Size',
          message: 'Size',
          options: options('Small', 'Large'),
          required: true,
        },
      ],
    })
    await rows.filter({ hasText: 'Second?' }).waitFor()
    await page.keyboard.press('j')
    await page.locator('beckon-request .message', { hasText: 'Second?' }).waitFor()
    await page.keyboard.press('o')
    await eventually(() => page.locator('beckon-request article').evaluate(article => article.matches(':focus'))).toBe(
      true,
    )
    await page.keyboard.press('Tab')
    await page.keyboard.type('Ana')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Control+Enter')
    expect(await filled).toMatchObject({ action: 'accept', content: { name: 'Ana', size: 'large' } })
    await outcome().waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowDown')
    await page.locator('beckon-request .message', { hasText: 'First?' }).waitFor()
    await page.keyboard.press('Enter')
    await eventually(() => page.locator('beckon-request article').evaluate(article => article.matches(':focus'))).toBe(
      true,
    )
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await confirmed).toMatchObject({ action: 'accept' })
  })

  it('sees where a link leads before opening it, and what to beware of', async () => {
    const outcome = rig.ask({ message: 'Sign in', url: 'https://bank.example.com@evil.example.net/login' })
    const ana = await rig.visit('ana')
    const ask = await ana.open('Sign in')
    await ask.getByText('What stands before "@" is not the site: it leads to evil.example.net.').waitFor()
    expect(await ask.locator('.address strong').textContent()).toBe('evil.example.net')
    const link = ask.getByRole('link')
    expect(await link.getAttribute('href')).toBe('https://bank.example.com@evil.example.net/login')
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
    expect(await link.getAttribute('target')).toBe('_blank')
    expect(await link.getAttribute('referrerpolicy')).toBe('no-referrer')
    await ana.page.context().route('https://evil.example.net/**', route => route.fulfill({ body: 'there' }))
    const opened = ana.page.context().waitForEvent('page')
    await link.click()
    expect(await (await opened).evaluate(() => [document.referrer, window.opener])).toEqual(['', null])
    expect(await outcome).toMatchObject({ action: 'accept' })
    await ana.outcome().getByText('Waiting for it to finish').waitFor()
    await (await rig.turn()).complete()
    await ana.outcome().getByText('It has finished.').waitFor()
  })

  it('cannot open what is no web address', async () => {
    const outcome = rig.ask({ message: 'Look', url: 'javascript:alert(1)' })
    const ana = await rig.visit('ana')
    const ask = await ana.open('Look')
    await ask.getByText('Only web addresses (https) can be opened.').waitFor()
    expect(await ask.getByRole('link').count()).toBe(0)
    await ana.press('Decline')
    expect(await outcome).toMatchObject({ action: 'decline' })
  })

  it('does not slip into agreeing to what can destroy something', async () => {
    const outcome = rig.ask({ message: 'Delete the project?', _meta: { 'beckon/destructive': true } })
    const ana = await rig.visit('ana')
    const ask = await ana.open('Delete the project?')
    await ask.getByText('This tool can delete or overwrite things.').waitFor()
    const accept = ask.getByRole('button', { name: 'Accept' })
    expect(await accept.getAttribute('class')).toBe('risky')
    expect(await ask.locator('.primary').count()).toBe(0)
    await eventually(() => ask.locator('article').evaluate(article => article.matches(':focus'))).toBe(true)
    // The first button that a keyboard comes to says no, and the shortcut leads to the other and presses nothing.
    await ana.page.keyboard.press('Tab')
    expect(await ask.getByRole('button', { name: 'Decline' }).evaluate(button => button.matches(':focus'))).toBe(true)
    await ana.page.keyboard.press('Control+Enter')
    expect(await accept.evaluate(button => button.matches(':focus'))).toBe(true)
    expect(await ana.outcome().count()).toBe(0)
    await ana.page.keyboard.press('Enter')
    expect(await outcome).toMatchObject({ action: 'accept' })
  })

  it('is told that more people have to accept', async () => {
    const outcome = rig.ask({ message: 'Launch?' }, { quorum: 2 })
    const [ana, ben] = [await rig.visit('ana'), await rig.visit('ben')]
    await ana.open('Launch?')
    await ana.press('Accept')
    await ana.page.getByText('Your answer is recorded: 1 of 2 have accepted.').waitFor()
    await ben.open('Launch?')
    await ben.press('Accept')
    expect(await outcome).toMatchObject({ action: 'accept', by: [{ principal: 'ana' }, { principal: 'ben' }] })
    await ana.outcome().getByText('Accepted by').waitFor()
  })
})
