// What a tool, a server and other sites get of the inbox, in a real browser, for docs/security.md.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it, onTestFinished } from 'vitest'
import { type Family, runAttacks } from '../../../test/attack-table.js'
import { eventually, hasBrowser, Rig } from './rig.js'
import { widgetAttacks } from './widget-attacks.js'

const rig = new Rig()

function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what)
}

/** What the message of an ask reads like. */
async function shown(message: string) {
  void rig.ask({ message })
  const ana = await rig.visit('ana')
  const ask = await ana.open('Pay')
  return { ana, text: (await ask.locator('.message').textContent()) ?? '' }
}

const inbox: Family = {
  family: 'The inbox',
  attacks: [
    {
      attack: 'markup and script in a message, a tool’s name, arguments, labels, and the name of a server',
      async run() {
        const markup = '<img src=x onerror="document.title=`taken`">'
        void rig.ask(
          { message: `Pay ${markup}`, _meta: { 'beckon/tool': markup, 'beckon/arguments': { [markup]: markup } } },
          { server: markup },
        )
        const ana = await rig.visit('ana')
        await ana.open('Pay')
        must((await ana.page.locator('img').count()) === 0, 'There is an image.')
        must(!(await ana.page.title()).includes('taken'), 'It ran.')
        return 'text, and nothing runs'
      },
    },
    {
      attack: 'marks that turn the reading direction, and characters that nobody sees',
      async run() {
        const { text } = await shown('Pay 1000\u200f/10 \u200b\u00ad\ufff9\u202egnp')
        must(!/[\u200f\u200b\u00ad\ufff9\u202e]/.test(text), 'They are there.')
        return `by their numbers: ${text.trim()}`
      },
    },
    {
      attack: 'the same in what a field proposes, which someone sends as it stands',
      async run() {
        const iban = { kind: 'text', id: 'to', title: 'To', message: '', defaultValue: 'DE\u202e0001\u200b' } as const
        void rig.ask({ message: 'Pay?', questions: [iban] })
        const ana = await rig.visit('ana')
        await ana.open('Pay?')
        const under = ana.question('To').locator('.unseen')
        await under.waitFor({ timeout: 10_000 })
        return `it stands under the field, by their numbers: ${(await under.locator('bdi').textContent())?.trim()}`
      },
    },
    {
      attack: '300 marks stacked on a letter, to paint over what is above it',
      async run() {
        const { text } = await shown(`Pay Z${'\u0301'.repeat(300)}`)
        must((text.match(/\u0301/g) ?? []).length <= 3, text)
        return 'three are shown, and how many more there were'
      },
    },
    {
      attack: '500 spaces in a command that is shown, and in a changed line, to push the end out of sight',
      async run() {
        const text = `rm -r build${' '.repeat(500)}; rm -r /`
        const show = [
          { kind: 'code', text },
          { kind: 'diff', before: 'rm -r build', after: text },
        ]
        void rig.ask({ message: 'Pay?', _meta: { 'beckon/show': show } })
        const ana = await rig.visit('ana')
        const ask = await ana.open('Pay?')
        for (const shown of ['pre', '.lines']) {
          const isCut = await ask
            .locator(`beckon-blocks ${shown}`)
            .evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          must(!isCut, 'Its end is out of sight.')
        }
        const code = await ask.locator('beckon-blocks pre').textContent()
        return `forty are shown, and how many more there were: ${code?.replace(/ {40}/, ' … ')}`
      },
    },
    {
      attack: 'someone sits down at another page of the inbox, after Ana has signed out in hers',
      async run() {
        const { ana } = await shown('Pay Bob 5,000?')
        const other = await ana.page.context().newPage()
        await other.goto(rig.url)
        const asks = other.locator('beckon-ask-list .row')
        await asks.first().waitFor()
        await ana.page.getByRole('button', { name: 'You' }).click()
        await ana.page.getByRole('button', { name: 'Sign out' }).click()
        await other.getByText('You are signed out.').waitFor()
        await asks.first().waitFor({ state: 'detached', timeout: 10_000 })
        return 'it forgot what she was asked, as hers did'
      },
    },
    {
      attack: 'the same person looks in the browser for what Ana typed on both pages, of which the desk heard nothing',
      async run() {
        const to = { kind: 'text', id: 'to', title: 'To', message: '' } as const
        void rig.ask({ message: 'Pay?', questions: [to] })
        const ana = await rig.visit('ana')
        const other = await ana.page.context().newPage()
        await other.goto(rig.url)
        for (const page of [ana.page, other]) {
          await page.locator('beckon-ask-list .row').first().click()
          await page.locator('beckon-question').waitFor()
          await page.evaluate(() => {
            WebSocket.prototype.send = () => {}
          })
          await page.locator('beckon-question input').fill('my lover')
        }
        const kept = () => ana.page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
        await eventually(kept).toContain('my lover')
        await ana.page.getByRole('button', { name: 'You' }).click()
        await ana.page.getByRole('button', { name: 'Sign out' }).click()
        for (const page of [ana.page, other]) await page.getByText('You are signed out.').waitFor()
        await eventually(kept).not.toContain('my lover')
        return 'nothing: a draft that waits for the desk waits no longer than who typed it is there'
      },
    },
    {
      attack: 'a page of another site shows the inbox in a frame (clickjacking)',
      async run() {
        const { ana } = await shown('Pay?')
        const site = createServer((_, outgoing) => {
          outgoing.writeHead(200, { 'content-type': 'text/html' }).end(`<iframe src="${rig.url}"></iframe>`)
        })
        await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
        onTestFinished(() => void site.close())
        await ana.page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
        const frame = ana.page.frames().find(each => each !== ana.page.mainFrame())
        const text = await frame?.evaluate(() => document.body?.textContent ?? '').catch(() => '')
        must(!text?.includes('Pay'), 'It is shown.')
        ana.complaints.length = 0
        const { headers } = await fetch(rig.url, { headers: { cookie: 'as=ana.0' } })
        return `not shown; X-Frame-Options: ${headers.get('x-frame-options')}`
      },
    },
  ],
}

if (hasBrowser) {
  rig.attend()
  runAttacks('packages/inbox/test', [inbox, widgetAttacks(rig)])
} else it.skip('needs Chromium')
