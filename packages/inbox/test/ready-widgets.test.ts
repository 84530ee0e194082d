// The ready widgets in the inbox, in a real browser: by the keyboard, in every theme, and without anything that axe finds wrong.
import axe from 'axe-core'
import { type Context, choices, createServer } from 'beckon'
import { type AskDesk, remoteDeskFrom } from 'beckon/desk/adapter'
import { createTestClient, type TestClientOptions } from 'beckon/test'
import { chooseImage, listWidget, readyWidgets, reviewDiff, selectRows } from 'beckon/widgets/ready'
import type { Frame, Locator } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually, hasBrowser, type Person, patienceMs, Rig, type VisitOptions } from './rig.js'
import { violations } from './violations.js'

const rig = new Rig()
const phone = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true }
const html = '<img src=x onerror="document.title=1">'
const cities = Array.from({ length: 100_000 }, (_, index) => ({ value: `c${index}`, label: `City ${index}` }))
const servers = [
  { name: 'eu-1', region: 'Frankfurt', requests: 900 },
  { name: 'us-1', region: html, requests: 12_400 },
  { name: 'ap-1', region: 'الرياض', requests: 31 },
]
const lines = Array.from({ length: 30 }, (_, index) => `setting.${index} = ${index}`)
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const asks = {
  list: (ctx: Context) => ctx.elicit({ question: 'Where to?', schema: choices(cities), widget: listWidget }),
  table: (ctx: Context) => ctx.elicit({ question: 'Which servers?', ...selectRows(servers, { key: 'name', max: 2 }) }),
  diff: (ctx: Context) =>
    ctx.elicit({
      question: 'Save?',
      ...reviewDiff(lines.join('\n'), lines.with(12, html).toSpliced(20, 1).join('\n'), { title: 'app.conf' }),
    }),
  images: (ctx: Context) =>
    ctx.elicit({
      question: 'Which logo?',
      ...chooseImage([
        { value: 'round', label: 'Round', source: pixel },
        { value: 'square', label: `Square ${html}`, source: pixel },
      ]),
    }),
}

describe.skipIf(!hasBrowser)('the ready widgets', { timeout: 4 * patienceMs }, () => {
  rig.attend()
  const closing: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  function call(
    ask: (ctx: Context) => Promise<unknown>,
    capabilities: NonNullable<TestClientOptions['capabilities']> = {},
    answer?: () => object,
    reached: AskDesk | undefined = rig.desk,
  ) {
    const desk = answer === undefined ? { desk: reached, wait: 'hold' as const } : {}
    const server = createServer({ name: 'shop', version: '1.0.0', widgets: [...readyWidgets], ...desk })
    server.tool('t', {}, async (_input, ctx) => ({ given: await ask(ctx) }))
    const client = createTestClient(server, { capabilities, ...(answer && { answer: answer as () => never }) })
    closing.push(
      () => client.close(),
      () => server.close(),
    )
    return client.callTool('t').then(({ structuredContent, content }) => structuredContent ?? content)
  }

  async function opened(question: string, options: VisitOptions = {}) {
    const ana = await rig.visit('ana', { reducedMotion: 'reduce', ...options })
    await ana.open(question)
    const shown = ana.page.frameLocator('beckon-widget iframe')
    await shown.getByRole('heading').waitFor()
    return { ana, shown }
  }

  /** What the page has entered, the person sends. */
  async function sent(ana: Person): Promise<void> {
    await ana.page.getByText('Send it with the button below').waitFor()
    await ana.press('Send answer')
  }

  /** What axe finds wrong with the page of the widget alone. */
  async function wrongWith({ page }: Person): Promise<unknown[]> {
    const frame = page.frames().find(each => each.parentFrame() !== null) as Frame
    await frame.evaluate(axe.source)
    return frame.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
      }
      return (await axe.run()).violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(each => each.html) }))
    })
  }

  it('find one of 100,000 as one types, with the author’s own search, by the keyboard, in one ask', async () => {
    const searches: string[] = []
    const search = (words: string) => {
      searches.push(words)
      return cities.filter(({ label }) => label.toLowerCase().includes(words.toLowerCase())).slice(0, 20)
    }
    const result = call(ctx => ctx.elicit({ question: 'Where to?', schema: choices(search), widget: listWidget }))
    const { ana, shown } = await opened('Where to?')
    await shown.getByLabel('Search').pressSequentially('city 9999')
    await shown.getByText('City 99998').waitFor()
    await shown.getByLabel('Search').press('ArrowDown')
    await eventually(() =>
      shown
        .getByRole('radio')
        .first()
        .evaluate(each => each.matches(':focus')),
    ).toBe(true)
    await shown.getByLabel('City 99998').focus()
    await ana.page.keyboard.press('Space')
    await shown.getByRole('button', { name: 'Choose' }).press('Enter')
    await sent(ana)
    expect(await result).toEqual({ given: 'c99998' })
    expect(searches[0]).toBe('')
    expect(searches.at(-1)).toBe('city 9999')
    const audited = (await rig.desk?.audit.query()) ?? []
    expect(audited.filter(({ event }) => event === 'asked')).toHaveLength(1)
  })

  it('find as one types with a desk in another process, which the server reaches by its token', async () => {
    const token = 'the-token-of-the-shop'
    await rig.stop()
    const { url } = await rig.start({ servers: { shop: token } })
    const result = call(asks.list, {}, undefined, remoteDeskFrom({ url, token }))
    const { ana, shown } = await opened('Where to?')
    await shown.getByLabel('Search').pressSequentially('city 9999')
    await shown.getByLabel('City 99998').check()
    await shown.getByRole('button', { name: 'Choose' }).press('Enter')
    await sent(ana)
    expect(await result).toEqual({ given: 'c99998' })
    const audited = (await rig.desk?.audit.query()) ?? []
    expect(audited.filter(({ event }) => event === 'asked')).toHaveLength(1)
  })

  it('find with Enter, and are asked again, where nobody can look while one types', async () => {
    // A desk that cannot reach the function of the server.
    const { finds: _, ...elsewhere } = rig.desk as NonNullable<Rig['desk']>
    const result = call(asks.list, {}, undefined, elsewhere)
    const { ana, shown } = await opened('Where to?')
    await shown.getByLabel('Search').pressSequentially('19')
    await eventually(() => shown.locator('.row:visible').allTextContents()).toEqual(['City 19'])
    await shown.getByText('Press Enter to search all of them').waitFor()
    await shown.getByLabel('Search').fill('city 9999')
    await shown.getByLabel('Search').press('Enter')
    await sent(ana)
    // It is asked again, with what the search found. What was answered may be in the list for a moment more.
    await eventually(async () => {
      await ana.open('Where to?')
      return shown.getByText('City 99998').isVisible()
    }).toBe(true)
    await shown.getByLabel('City 99998').check()
    await shown.getByRole('button', { name: 'Choose' }).press('Enter')
    await sent(ana)
    expect(await result).toEqual({ given: 'c99998' })
  })

  it('sort a table, and take as many rows as they may', async () => {
    const result = call(asks.table)
    const { ana, shown } = await opened('Which servers?')
    const names = () => shown.locator('tbody tr td:nth-child(2)').allTextContents()
    await shown.getByRole('button', { name: 'requests' }).press('Enter')
    expect(await names()).toEqual(['ap-1', 'eu-1', 'us-1'])
    await shown.getByRole('button', { name: 'requests' }).press('Enter')
    expect(await names()).toEqual(['us-1', 'eu-1', 'ap-1'])
    expect(await shown.locator('th[aria-sort=descending]').textContent()).toContain('requests')
    expect(await shown.getByRole('button', { name: 'Use these' }).isDisabled()).toBe(true)
    await shown.getByRole('checkbox', { name: 'All rows' }).press('Space')
    expect(await shown.getByRole('status').textContent()).toBe('3 of 3 chosen; choose at most 2')
    await shown.getByRole('checkbox', { name: 'eu-1' }).press('Space')
    await shown.getByRole('button', { name: 'Use these' }).press('Enter')
    await sent(ana)
    expect(await result).toEqual({ given: { rows: ['us-1', 'ap-1'] } })
    expect(await ana.page.title()).not.toBe('1')
  })

  it('show a change side by side, with all of it, and take a comment', async () => {
    const result = call(asks.diff)
    const { ana, shown } = await opened('Save?')
    expect(await shown.locator('.del').allTextContents()).toEqual([
      'removed: setting.12 = 12',
      'removed: setting.20 = 20',
    ])
    expect(await shown.locator('.ins').allTextContents()).toEqual([`added: ${html}`])
    await shown.getByRole('button', { name: '9 unchanged lines' }).press('Enter')
    expect(await shown.locator('tbody tr').first().locator('td').allTextContents()).toEqual([
      '1',
      lines[0],
      '1',
      lines[0],
    ])
    await shown.getByLabel('Comment').fill('Only on Monday')
    await shown.getByRole('button', { name: 'Accept' }).press('Enter')
    await sent(ana)
    expect(await result).toEqual({ given: { comment: 'Only on Monday' } })
  })

  it('choose among images', async () => {
    const result = call(asks.images)
    const { ana, shown } = await opened('Which logo?')
    const first = shown.getByRole('radio', { name: 'Round' })
    await first.focus()
    await ana.page.keyboard.press('ArrowDown')
    await shown.getByRole('button', { name: 'Choose' }).press('Enter')
    await sent(ana)
    expect(await result).toEqual({ given: { choice: 'square' } })
  })

  it.each(Object.keys(asks) as (keyof typeof asks)[])('%s: has nothing that axe finds wrong, and fits', async name => {
    call(asks[name]).catch(() => {})
    const question = { list: 'Where to?', table: 'Which servers?', diff: 'Save?', images: 'Which logo?' }[name]
    const ways: VisitOptions[] = [{}, { ...phone, colorScheme: 'dark' }, { path: '/?dir=rtl' }]
    for (const way of ways) {
      const { ana, shown } = await opened(question, way)
      const direction = way.path === undefined ? 'ltr' : 'rtl'
      expect(await shown.locator('html').getAttribute('dir')).toBe(direction)
      expect(await wrongWith(ana)).toEqual([])
      // On a phone the list is away while an ask is open, and the heading of the page with it, whatever shows the ask.
      const around = (await violations(ana)) as { id: string }[]
      expect(around.filter(({ id }) => way.isMobile !== true || id !== 'page-has-heading-one')).toEqual([])
      const wide = await shown.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      expect(wide).toBeLessThanOrEqual(0)
    }
  })

  it('read from right to left where the inbox does', async () => {
    call(asks.list).catch(() => {})
    const { shown } = await opened('Where to?', { path: '/?lang=de&dir=rtl' })
    const row = shown.locator('.row').first()
    const [button, label] = await Promise.all([row.getByRole('radio').boundingBox(), row.locator('bdi').boundingBox()])
    expect(button?.x).toBeGreaterThan(label?.x ?? Number.NaN)
    // What is said in a language of the other direction keeps its order.
    const said = await shown.getByRole('status').evaluate(element => getComputedStyle(element).direction)
    expect(said).toBe('ltr')
  })

  it('are worked with Tab alone, from the inbox into the frame and out of it to the button that sends', async () => {
    const result = call(asks.table)
    const { ana, shown } = await opened('Which servers?')
    const { keyboard } = ana.page
    const tabUntil = async (isThere: () => Promise<boolean>) => {
      for (let steps = 0; steps < 60; steps++) {
        if (await isThere()) return
        await keyboard.press('Tab')
      }
      throw new Error('Tab does not lead there.')
    }
    const focused = (element: Locator) => () => element.evaluate(each => each.matches(':focus'))
    await tabUntil(focused(shown.getByRole('checkbox', { name: 'us-1' })))
    await keyboard.press('Space')
    await tabUntil(focused(shown.getByRole('button', { name: 'Use these' })))
    await keyboard.press('Enter')
    await ana.page.getByText('Send it with the button below').waitFor()
    await tabUntil(focused(ana.page.getByRole('button', { name: 'Send answer' })))
    await keyboard.press('Enter')
    expect(await result).toEqual({ given: { rows: ['us-1'] } })
  })

  it('show by its number what hides or turns other text', async () => {
    const odd = 'pay\u00adpal \u202egnp.exe'
    const seen = 'pay[U+00AD]pal [U+202E]gnp.exe'
    call(ctx =>
      ctx.elicit({ question: 'Which servers?', ...selectRows([{ [odd]: odd, id: 1 }], { key: 'id' }) }),
    ).catch(() => {})
    const { shown } = await opened('Which servers?')
    expect(await shown.locator('th').first().textContent()).toContain(seen)
    expect(await shown.locator('tbody bdi').first().textContent()).toBe(seen)
    expect(await shown.getByRole('checkbox').last().getAttribute('aria-label')).toBe(seen)
    call(ctx => ctx.elicit({ question: 'Save it?', ...reviewDiff(odd, 'b', { title: odd }) })).catch(() => {})
    const review = await opened('Save it?')
    expect(await review.shown.locator('.del').textContent()).toBe(`removed: ${seen}`)
    call(ctx => ctx.elicit({ question: `Where ${odd}?`, schema: choices([odd, 'b']), widget: listWidget })).catch(
      () => {},
    )
    const list = await opened('Where')
    expect(await list.shown.getByRole('heading').textContent()).toContain(seen)
    expect(await list.shown.locator('.row').first().textContent()).toBe(seen)
  })

  it('are plain forms in a client that shows none', async () => {
    const plain = { elicitation: { form: {} } }
    expect(await call(asks.list, plain, () => ({ choice: 'c3' }))).toEqual({ given: 'c3' })
    expect(await call(asks.table, plain, () => ({ rows: ['eu-1'] }))).toEqual({ given: { rows: ['eu-1'] } })
    expect(await call(asks.diff, plain, () => ({}))).toEqual({ given: {} })
    expect(await call(asks.images, plain, () => ({ choice: 'round' }))).toEqual({ given: { choice: 'round' } })
  })
})
