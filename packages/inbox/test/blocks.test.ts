// What is shown beside a question, in a real browser: as what it is, from nowhere else, and before anybody can accept.
import { code, diff, image, json, link, markdown, table } from '@beckon/core/blocks'
import { describe, expect, it } from 'vitest'
import { eventually, hasBrowser, patienceMs, Rig } from './rig.js'
import { violations } from './violations.js'

const rig = new Rig()
const still = { reducedMotion: 'reduce' } as const
const phone = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true }

const html = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`
/** A picture of one pixel, with markup behind its end. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const polyglot = Uint8Array.from(`${atob(pixel)}${html}`, character => character.charCodeAt(0))

const config = Array.from({ length: 30 }, (_, index) => `setting.${index} = ${index}`)
const show = [
  markdown(
    `## What happens\n\nThe **new** settings go to _all_ servers:\n\n1. \`eu-1\`\n2. \`us-1\`\n\n> Nobody is on call. ${html}\n\n~~~ sh --as root\nrestart\n~~~`,
  ),
  diff(config.join('\n'), config.with(12, `setting.12 = "${html}"`).toSpliced(20, 1).join('\n'), { title: 'app.conf' }),
  table(
    [
      { server: 'eu-1', region: 'Frankfurt', requests: 12_400, note: html },
      { server: 'us-1', region: 'فرجينيا', requests: 310, note: null },
    ],
    { title: 'Servers' },
  ),
  code(`for (const server of servers) {\n  await deploy(server) // ${html}\n}`, 'js'),
  json({ dryRun: false, servers: ['eu-1', 'us-1'], html }, { title: 'Request' }),
  image(polyglot, { alt: 'A pixel' }),
  image('https://images.example/load.png', { alt: 'The load of last week' }),
  link('https://bank.example.com@evil.example/plan', 'The plan'),
]

describe.skipIf(!hasBrowser)('blocks in the inbox', { timeout: 4 * patienceMs }, () => {
  rig.attend()

  async function ask(question: string, more: object = { show }) {
    const turn = await rig.turn('deploys')
    return { answer: turn.ask({ question, ...more } as { question: string }) }
  }

  it('are drawn as what they are, whatever is written in them, and nothing is loaded from elsewhere', async () => {
    const { answer } = await ask('Deploy?')
    const ana = await rig.visit('ana', still)
    const requested: string[] = []
    ana.page.on('request', request => requested.push(request.url()))
    const opened = await ana.open('Deploy?')
    const blocks = opened.locator('beckon-blocks')
    await blocks.getByRole('heading', { name: 'What happens' }).waitFor()
    expect(await blocks.locator('.markdown ol > li').allTextContents()).toEqual(['eu-1', 'us-1'])
    expect(await blocks.locator('blockquote').textContent()).toContain('<script>')
    expect(await blocks.locator('.lines .removed .code').allTextContents()).toEqual([
      'setting.12 = 12',
      'setting.20 = 20',
    ])
    expect(await blocks.locator('.lines .skipped').first().textContent()).toBe('9 unchanged lines')
    expect(await blocks.locator('.code .quiet').textContent()).toBe('js')
    await blocks.getByText('sh --as root').waitFor()
    expect(await blocks.locator('td.number').allTextContents()).toEqual(['12400', '310'])
    expect(
      await blocks.getByRole('img', { name: 'A pixel' }).evaluate((each: HTMLImageElement) => each.naturalWidth),
    ).toBe(1)
    expect(await blocks.locator('img').count()).toBe(1)
    expect(await blocks.locator('script').count()).toBe(0)
    // What it is called is not where it leads.
    expect(await blocks.locator('.link').textContent()).toContain('evil.example')
    expect(await blocks.locator('.link .warning.danger').count()).toBeGreaterThan(0)
    const image = blocks.getByRole('link', { name: 'Open the image on images.example' })
    expect(await image.getAttribute('rel')).toBe('noopener noreferrer')
    expect(requested.filter(url => !url.startsWith(rig.url) && !url.startsWith('data:'))).toEqual([])
    expect(await ana.page.title()).not.toContain('taken')
    expect(await violations(ana)).toEqual([])
    await ana.press('Accept')
    expect(await answer).toMatchObject({ action: 'accept' })
  })

  it.each([
    ['in the dark, on a phone', { ...phone, colorScheme: 'dark' } as const],
    ['from right to left, in German', { locale: 'de-DE' }],
  ])('fit %s', async (_, options) => {
    await ask('Deploy?')
    const ana = await rig.visit('ana', { ...still, ...options })
    const isTurned = 'locale' in options
    if (isTurned) await ana.page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    const opened = await ana.open('Deploy?')
    await opened.locator('beckon-blocks').getByRole('heading', { name: 'What happens' }).waitFor()
    expect(await violations(ana)).toEqual(isTurned ? [] : [expect.objectContaining({ id: 'page-has-heading-one' })])
    const widest = () => opened.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect(await widest()).toBeLessThanOrEqual(0)
    if (isTurned) expect(await opened.locator('.skipped').first().textContent()).toBe('9 unveränderte Zeilen')
  })

  it('show what did not change to whoever wants to see it, by the keyboard as well', async () => {
    await ask('Deploy?', { show: [diff(config.join('\n'), `${config.join('\n')}\r\nlast`)] })
    const ana = await rig.visit('ana', still)
    const opened = await ana.open('Deploy?')
    await opened.getByText('How lines end changes, too.').waitFor()
    await opened.getByRole('button', { name: '27 unchanged lines' }).press('Enter')
    await opened.getByText('setting.0 = 0').waitFor()
    expect(await violations(ana)).toEqual([])
  })

  it('of 45,000 lines are a handful of elements', async () => {
    const lines = (line: string) => `${line}\n`.repeat(22_500)
    await ask('Deploy?', { show: [diff(lines('a'), lines('b'))] })
    const ana = await rig.visit('ana', still)
    const opened = await ana.open('Deploy?')
    await opened.locator('.added').waitFor()
    expect(await opened.locator('.lines *').count()).toBeLessThan(10)
  })

  it('can be scrolled with the keyboard', async () => {
    await ask('Deploy?', { show: [code(Array.from({ length: 200 }, (_, line) => `line ${line}`).join('\n'))] })
    const ana = await rig.visit('ana', still)
    const opened = await ana.open('Deploy?')
    const text = opened.locator('beckon-blocks pre')
    await text.focus()
    await ana.page.keyboard.press('End')
    await eventually(() => text.evaluate(each => each.scrollTop)).toBeGreaterThan(100)
  })

  it('have to be on the page before anybody can accept', async () => {
    const { answer } = await ask('Deploy?')
    const ana = await rig.visit('ana', still)
    // What draws them never comes.
    await ana.page.route(/blocks.*\.js$/, () => {})
    const opened = await ana.open('Deploy?')
    const accept = opened.getByRole('button', { name: 'Accept', exact: true })
    expect(await accept.isDisabled()).toBe(true)
    await ana.press('Decline')
    expect(await answer).toMatchObject({ action: 'decline' })
  })

  it('that this inbox does not know are said to be there, and nobody accepts them unseen', async () => {
    void rig.ask({ message: 'Deploy?', _meta: { 'beckon/show': [{ kind: 'hologram', data: html }] } })
    const ana = await rig.visit('ana', still)
    const opened = await ana.open('Deploy?')
    await opened.getByText('cannot be shown here').waitFor()
    expect(await opened.getByRole('button', { name: 'Accept', exact: true }).isDisabled()).toBe(true)
  })

  it('beside a page to visit have no links of their own', async () => {
    void rig.ask({
      message: 'Sign here',
      url: 'https://sign.example/',
      _meta: { 'beckon/show': [link('https://other.example/')] },
    })
    const ana = await rig.visit('ana', still)
    const opened = await ana.open('Sign here')
    await opened.locator('beckon-blocks').getByText('other.example').waitFor()
    expect(await opened.getByRole('link').count()).toBe(1)
  })
})
