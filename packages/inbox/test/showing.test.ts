import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { eventually, hasBrowser, patienceMs, Rig } from './rig.js'
import { violations } from './violations.js'

const rig = new Rig()
/** Nothing is on its way from one colour to another when it is looked at. */
const still = { reducedMotion: 'reduce' } as const
const phone = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true }

/** How long the longest task took since the last look, in words: the browser tells of those above 50 ms alone. */
async function longestTask(page: Page): Promise<string> {
  const longest = await page.evaluate(async () => {
    const since = globalThis as unknown as { lastLook?: number }
    const { lastLook = 0 } = since
    since.lastLook = performance.now()
    return new Promise<number>(resolve => {
      const durations = [0]
      new PerformanceObserver(list => {
        for (const { startTime, duration } of list.getEntries()) if (startTime >= lastLook) durations.push(duration)
      }).observe({ type: 'longtask', buffered: true })
      // What is buffered is told in a task of its own.
      setTimeout(() => setTimeout(() => resolve(Math.max(...durations))))
    })
  })
  return longest === 0 ? 'less than 50 ms' : `${Math.round(longest)} ms`
}

describe.skipIf(!hasBrowser)('the inbox', { timeout: 4 * patienceMs }, () => {
  rig.attend()

  it('shows a hostile message as the text that it is', async () => {
    const attack = `<img src=x onerror="document.title='taken'"> Pay \u202Egnp.tseuqer\u202C now ${'long '.repeat(20_480)}`
    void rig.ask(
      {
        message: attack,
        questions: [
          {
            id: '__proto__',
            kind: 'single-select',
            title: '<b>Bold</b>\u202E',
            message: '<script>document.title="taken"</script>',
            options: [{ id: 'constructor', label: '<svg onload=alert(1)>' }],
          },
        ],
        _meta: { 'beckon/tool': '<i>tool</i>', 'beckon/arguments': { '</pre><img src=x onerror=alert(1)>': 1 } },
      },
      { server: '"><img src=x onerror=alert(1)>' },
    )
    const ana = await rig.visit('ana')
    const ask = await ana.open('Pay')
    const text = (await ask.locator('.message').textContent()) ?? ''
    expect(text).toContain('<img src=x onerror=')
    expect(text).toContain('[U+202E]gnp.tseuqer[U+202C]')
    expect(text.length).toBeLessThan(3_000)
    await ask.getByRole('button', { name: 'Show all of it' }).click()
    await eventually(async () => (await ask.locator('.message').textContent())?.length).toBeGreaterThan(100_000)
    expect(await ask.locator('h2').textContent()).toContain('<i>tool</i>')
    expect(await ana.question('Bold').getByText('<svg onload=alert(1)>').count()).toBe(1)
    expect(await ana.page.locator('img, script[src*=onerror], b, i').count()).toBe(0)
    expect(await ana.page.title()).toBe('(1) Inbox')
    await ana.question('Bold').getByRole('radio').check()
    await ana.press('Send answer')
    await ana.outcome().getByText('Accepted by you').waitFor()
  })

  it('is served with a policy that allows nothing but itself, and asks nobody else for anything', async () => {
    const ana = await rig.visit('ana')
    const requests: string[] = []
    ana.page.on('request', request => requests.push(request.url()))
    const response = await ana.page.reload()
    await ana.page.getByText('Nothing to answer').waitFor()
    const policy = response?.headers()['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(requests.filter(url => !url.startsWith(rig.url) && !url.startsWith('data:'))).toEqual([])
    // Were a message ever taken for markup, the browser would not run it.
    const tries = await ana.page.evaluate(() =>
      [
        () => document.createElement('img').setAttribute('onerror', 'document.title = "taken"'),
        () => document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="alert(1)">'),
        () => Object.assign(document.createElement('script'), { text: 'alert(1)' }),
      ].map(attempt => {
        try {
          attempt()
          return 'taken'
        } catch {
          return 'blocked'
        }
      }),
    )
    expect(tries).toEqual(['blocked', 'blocked', 'blocked'])
    ana.complaints.length = 0
  })

  it.each(['light', 'dark'] as const)('has nothing that axe finds wrong, in %s', async colorScheme => {
    void rig.ask(
      {
        message: 'Deploy?',
        _meta: {
          'beckon/tool': 'deploy',
          'beckon/arguments': { env: 'production' },
          'beckon/destructive': true,
        },
      },
      { server: 'ci', quorum: 2 },
    )
    void rig.ask({ message: 'Pay', url: 'https://a@pay.example.com:444/x' }, { timeoutMs: 200_000 })
    const labels = Array.from({ length: 9 }, (_, index) => ({
      id: String(index),
      label: `Option ${index}`,
      description: 'More',
    }))
    void rig.ask({
      message: 'Everything',
      questions: [
        {
          id: 'text',
          kind: 'text',
          title: 'Text',
          message: 'Some text',
          required: true,
          max: 20,
          defaultValue: 'a long enough text',
        },
        { id: 'note', kind: 'text', title: 'Long', message: 'Some text' },
        { id: 'when', kind: 'text', title: 'When', message: 'When', format: 'date-time' },
        { id: 'count', kind: 'integer', title: 'Count', message: 'Count', min: 1, max: 3, required: true },
        { id: 'sure', kind: 'boolean', title: 'Sure', message: 'Sure', defaultValue: true },
        {
          id: 'few',
          kind: 'single-select',
          title: 'Few',
          message: 'Few',
          options: labels.slice(0, 3),
          allowFreeformInput: true,
        },
        { id: 'lots', kind: 'single-select', title: 'Lots', message: 'Lots', options: labels },
        {
          id: 'any',
          kind: 'multi-select',
          title: 'Any',
          message: 'Any',
          options: labels.slice(0, 3),
          allowFreeformInput: true,
          min: 1,
        },
      ],
    })
    const ana = await rig.visit('ana', { ...still, colorScheme })
    expect(await violations(ana)).toEqual([])
    await ana.open('Everything')
    await ana.press('Send answer')
    await ana.question('Count').getByText('An answer is required.').waitFor()
    expect(await violations(ana)).toEqual([])
    await ana.open('Pay')
    await ana.press('Add a reason')
    expect(await violations(ana)).toEqual([])
    await ana.press('Decline')
    // What else its session asks comes by itself.
    await ana.page.locator('beckon-request .message', { hasText: 'Everything' }).waitFor()
    await ana.open('Deploy?')
    expect(await violations(ana)).toEqual([])
    await ana.page.getByRole('tab', { name: 'History' }).click()
    await ana.page.keyboard.press('?')
    expect(await violations(ana)).toEqual([])
  })

  it('shows one thing at a time on a phone, with room to touch', async () => {
    const outcome = rig.ask({
      message: 'Deploy to the environment whose name is on the card?',
      questions: [{ id: 'name', kind: 'text', title: 'Name', message: 'Name', max: 20 }],
    })
    const ana = await rig.visit('ana', phone)
    await ana.open('Deploy to')
    const { page } = ana
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
    for (const button of await page.locator('beckon-request button:visible').all())
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    const back = page.getByRole('button', { name: 'Back to the list' })
    expect((await back.boundingBox())?.y).toBeGreaterThanOrEqual(0)
    await back.click()
    await page.locator('beckon-ask-list .row').first().waitFor()
    await ana.open('Deploy to')
    await ana.press('Send answer')
    expect(await outcome).toMatchObject({ action: 'accept' })
  })

  it('offers something to try when there is nothing, and says what is new', async () => {
    await rig.stop()
    await rig.start({ tryIt: () => void rig.ask({ message: 'Does it work?' }, { server: 'example' }) })
    const ana = await rig.visit('ana')
    await ana.page.getByRole('button', { name: 'Try it' }).click()
    await ana.open('Does it work?')
    expect(await ana.page.title()).toBe('(1) Inbox')
    expect(await ana.page.locator('link[rel=icon]').getAttribute('href')).toContain('%3E1%3C')
    expect(await ana.page.locator('beckon-inbox [aria-live]').textContent()).toBe('New ask from example: Does it work?')
    await ana.press('Accept')
    await eventually(() => ana.page.title()).toBe('Inbox')
  })

  it('takes whoever tries it to what is asked, on to the next, and to what the tool made of it', async () => {
    await rig.stop()
    await rig.start({
      async tryIt(trial) {
        trial.opened('trial')
        const drink = await rig.ask({ message: 'Which coffee?' }, { server: 'trial' })
        // What others are asked meanwhile is not for whoever tries.
        void rig.ask({ message: 'Deploy?' }, { server: 'ci' })
        const sure = await rig.ask({ message: 'One espresso for 3.20?' }, { server: 'trial' })
        return `${drink.action} <b>and</b> ${sure.action}`
      },
    })
    const ana = await rig.visit('ana', still)
    await ana.page.getByRole('button', { name: 'Try it' }).click()
    const shown = ana.page.locator('beckon-request .message')
    await shown.getByText('Which coffee?').waitFor()
    await ana.press('Accept')
    await shown.getByText('One espresso for 3.20?').waitFor()
    await ana.press('Decline')
    const result = ana.page.locator('beckon-request .result')
    expect(await result.locator('h3').textContent()).toBe('What the tool made of it')
    expect(await result.locator('pre').textContent()).toBe('accept <b>and</b> decline')
    expect(await violations(ana)).toEqual([])
  })

  it('says why what someone tried failed, and lets nobody click twice meanwhile', async () => {
    await rig.stop()
    let ask = () => {}
    const asked = new Promise<void>(resolve => {
      ask = resolve
    })
    await rig.start({
      async tryIt(trial) {
        trial.opened('trial')
        await asked
        await rig.ask({ message: 'Go on?' }, { server: 'trial' })
        throw new Error('The printer is out of paper.')
      },
      onError() {},
    })
    const ana = await rig.visit('ana')
    await ana.page.getByRole('button', { name: 'Try it' }).click()
    await ana.page.getByRole('button', { name: 'Calling…', disabled: true }).waitFor()
    ask()
    await ana.page.locator('beckon-request .message', { hasText: 'Go on?' }).waitFor()
    await ana.press('Accept')
    await ana.page.locator('beckon-request .result', { hasText: 'The call failed' }).waitFor()
    await ana.page.getByText('The printer is out of paper.').waitFor()
  })

  it('offers nothing to try on a desk that has nothing', async () => {
    const ana = await rig.visit('ana')
    await ana.page.getByText('Nothing to answer').waitFor()
    expect(await ana.page.getByRole('button', { name: 'Try it' }).count()).toBe(0)
  })

  it('keeps a history that can be searched, with the time that people took', async () => {
    const ana = await rig.visit('ana')
    for (const name of ['apples', 'pears', 'plums']) {
      const outcome = rig.ask({ message: `Order ${name}?` })
      await ana.open(`Order ${name}?`)
      await ana.press(name === 'pears' ? 'Decline' : 'Accept')
      await outcome
    }
    await ana.page.getByRole('tab', { name: 'History' }).click()
    await eventually(() => ana.page.locator('beckon-ask-list .row').count()).toBe(3)
    await ana.page.getByRole('img', { name: /Time to answer the last 3 asks/ }).waitFor()
    // Oneself is "you" wherever people are named.
    const rows = await ana.page.locator('beckon-ask-list .row .meta > bdi').first().textContent()
    expect(rows).toBe('you')
    await ana.page.getByRole('searchbox').fill('PEARS')
    await eventually(() => ana.page.locator('beckon-ask-list .row').count()).toBe(1)
    await ana.open('Order pears?')
    await ana.outcome().getByText('Declined by you').waitFor()
    await ana.page.reload()
    await ana.page.getByRole('tab', { name: 'History' }).click()
    await ana.open('Order apples?')
    await ana.outcome().getByText('Accepted by you').waitFor()
  })

  it('leads from a link to the ask that it names, also behind the first page', async () => {
    void rig.ask({ message: 'Not this one' }, { server: 'other' })
    void rig.ask({ message: 'This one' }, { server: 'wanted' })
    await rig.turn('wanted')
    const ana = await rig.visit('ana', { path: '/asks/wanted/none' })
    await ana.page.locator('beckon-request .message', { hasText: 'This one' }).waitFor()
    await ana.page.goto(new URL('/asks/other', ana.page.url()).href)
    await ana.page.locator('beckon-request .message', { hasText: 'Not this one' }).waitFor()
  })

  it('says of a link that it leads to nothing for who opened it, and shows what is asked later', async () => {
    void rig.ask({ message: 'For Bob?' }, { server: 'other', audience: { principals: ['bob'] } })
    const ana = await rig.visit('ana', { path: '/asks/other' })
    await ana.page.getByText('The ask of this link is for other people, or no longer here.').waitFor()
    void rig.ask({ message: 'For Ana?' }, { server: 'shop' })
    await ana.open('For Ana?')
    await ana.page.locator('beckon-request .message', { hasText: 'For Ana?' }).waitFor()
  })

  it('speaks German, and reads from right to left', async () => {
    void rig.ask({
      message: 'Wirklich?',
      questions: [{ id: 'n', kind: 'number', title: 'Preis', message: 'Preis', required: true }],
    })
    const ana = await rig.visit('ana', { path: '/?lang=de&dir=rtl' })
    await ana.open('Wirklich?')
    await ana.press('Antwort senden')
    await ana.question('Preis').getByText('Eine Antwort ist nötig.').waitFor()
    const [list, ask] = await Promise.all([
      ana.page.locator('beckon-ask-list').boundingBox(),
      ana.page.locator('beckon-request').boundingBox(),
    ])
    expect(list?.x).toBeGreaterThan(ask?.x ?? 0)
    await ana.question('Preis').locator('#control').fill('1,5')
    await ana.press('Antwort senden')
    await ana.outcome().getByText('Zugestimmt von Ihnen').waitFor()
  })

  it('notifies of new asks once someone allowed it, by a click', async () => {
    const ana = await rig.visit('ana')
    const { page } = ana
    await page.addInitScript(() => {
      class FakeNotification {
        static permission = 'default'
        static shown: string[] = []
        static async requestPermission() {
          FakeNotification.permission = 'granted'
          return 'granted'
        }
        constructor(title: string, { body }: { body: string }) {
          FakeNotification.shown.push(`${title}: ${body}`)
        }
      }
      Object.assign(globalThis, { Notification: FakeNotification })
      document.hasFocus = () => false
    })
    const shown = () => page.evaluate(() => (Notification as unknown as { shown: string[] }).shown)
    await page.reload()
    await page.getByText('Nothing to answer').waitFor()
    void rig.ask({ message: 'Not allowed yet' })
    await page.locator('beckon-ask-list .row', { hasText: 'Not allowed yet' }).waitFor()
    expect(await shown()).toEqual([])
    await page.getByRole('button', { name: 'Notify me' }).click()
    await page.getByLabel('Notify me on this device').check()
    await page.getByText('While the inbox is open in this browser.').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Notifications are on' }).waitFor()
    void rig.ask({ message: 'Now it is' })
    await page.locator('beckon-ask-list .row', { hasText: 'Now it is' }).waitFor()
    expect(await shown()).toEqual(['shop: Now it is'])
  })

  it('reads 5,000 asks page by page, finds any of them, and draws no more than fits', async () => {
    for (let index = 0; index < 5_000; index++) {
      const turn = await rig.turn(`server ${index % 50}`)
      turn.ask({ message: `Question ${index} of many, about the order of a customer` }).catch(() => {})
    }
    const ana = await rig.visit('ana')
    const { page } = ana
    const rows = page.locator('beckon-ask-list .row')
    await eventually(() => page.title()).toBe('(1000+) Inbox')
    const loading = await longestTask(page)
    // The first page is read at once, and the others when they are wanted.
    await page.getByRole('button', { name: 'Show older ones' }).click()
    // First without looking at every row, which would be the longest task by far.
    const list = page.locator('beckon-ask-list')
    for (const part of [0.3, 0.7, 1]) {
      await list.evaluate((element, part) => element.scrollTo({ top: element.scrollHeight * part }), part)
      await page.evaluate(() => new Promise(resolve => requestAnimationFrame(resolve)))
    }
    await page.keyboard.press('/')
    await page.keyboard.type('question 4321')
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(resolve)))
    const using = await longestTask(page)
    // A shared machine is no clock: the figures are for whoever reads them.
    console.log(`- inbox, 5,000 asks: the longest task took ${loading} to load them, ${using} to scroll and search`)

    await eventually(() => rows.count()).toBe(1)
    await page.getByRole('button', { name: 'Clear the search' }).click()
    for (const part of [0, 0.5, 1]) {
      await list.evaluate((element, part) => element.scrollTo({ top: element.scrollHeight * part }), part)
      await eventually(() => rows.count()).toBeGreaterThan(5)
      expect(await rows.count()).toBeLessThan(40)
    }
  })
})
