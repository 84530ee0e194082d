// What the page of a widget gets, which is a server's own code, in a real browser.
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { Family } from '../../../test/attack-table.js'
import { createTestClient, defineWidget, type Person, type Rig } from './rig.js'

/** The first Chromium that this was seen to hold in. */
const knowsAllowlist = 156

/** A page that is high, answers by itself, and then does as it likes. */
function widget(script: string) {
  return defineWidget({
    name: 'game',
    schema: z.object({ city: z.string() }),
    html: `<!doctype html><body><script>
      const post = message => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
      const high = height => post({ method: 'ui/notifications/size-changed', params: { height } })
      let isBegun = false
      addEventListener('message', ({ data }) => {
        if (data.id === 'i') post({ method: 'ui/notifications/initialized' })
        if (data.method !== 'elicitation/create') return
        post({ id: data.id, result: { action: 'accept', content: { city: 'Rome' } } })
        if (!isBegun) begin()
        isBegun = true
      })
      post({ id: 'i', method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appInfo: { name: 'g', version: '1' }, appCapabilities: { elicitation: {} } } })
      function begin() { ${script} }
    </script></body>`,
  })
}

/** Someone looks at an ask with such a page, which has answered by itself. */
async function shown(rig: Rig, script: string) {
  const game = widget(script)
  const server = rig.newServer('shop', { widgets: [game] })
  server.tool('book', {}, async (_input, ctx) => ({ given: await ctx.elicit({ question: 'Where to?', widget: game }) }))
  const client = createTestClient(server, { capabilities: {} })
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  client.callTool('book').catch(() => {})
  const ana = await rig.visit('ana')
  await ana.open('Where to?')
  await ana.page.getByText('Send it with the button below').waitFor()
  return ana
}

const middle = async (ana: Person, css: string) => {
  const { x, y, width, height } = (await ana.page.locator(css).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { x: x + width / 2, y: y + height / 2, end: y + height }
}

/** Clicks in the page while it is high. Throws if a button comes to stand where the page was: a second click would fall on it. */
async function clickIn(ana: Person): Promise<void> {
  const frame = ana.page.locator('beckon-widget iframe')
  await ana.page.waitForFunction(element => (element as HTMLElement).offsetHeight >= 400, await frame.elementHandle())
  const page = await middle(ana, 'beckon-widget iframe')
  await ana.page.mouse.click(page.x, page.y)
  await ana.page.waitForTimeout(1_000)
  const button = await middle(ana, 'beckon-request #accept')
  if (button.y < page.end) throw new Error(`The button is at ${button.y}, where the page was until ${page.end}.`)
}

export function widgetAttacks(rig: Rig): Family {
  return {
    family: 'A widget’s page',
    attacks: [
      {
        attack: 'makes itself small under a double click, so that the second half falls on “Send answer”',
        async run() {
          const ana = await shown(rig, `high(400); document.onmousedown = () => high(50)`)
          await clickIn(ana)
          return 'nothing is sent: the buttons move away from the page, and never to where it was'
        },
      },
      {
        attack: 'has itself taken away under a double click, by sending 1 MB, with the same in mind',
        async run() {
          const ana = await shown(rig, `high(400); document.onmousedown = () => post({ x: 'x'.repeat(1_000_000) })`)
          await clickIn(ana)
          return 'the same'
        },
      },
      {
        attack: 'makes itself larger under who is about to press something below “Send answer”',
        async run() {
          const ana = await shown(rig, 'high(100)')
          const accept = ana.page.locator('beckon-request #accept')
          await ana.page.locator('beckon-request #accept:not([aria-disabled])').waitFor()
          const { x, y } = await middle(ana, 'beckon-request #accept')
          await ana.page.mouse.move(x, y + 50)
          // However slow a machine is, half a second is not over.
          await ana.page.clock.install()
          await ana.page.clock.pauseAt(Date.now() + 60_000)
          const page = ana.page.frames().find(each => each.url().includes('/widgets/'))
          await page?.evaluate('high(150)')
          await expect.poll(async () => (await accept.boundingBox())?.y).toBeGreaterThan(y + 20)
          await ana.page.mouse.click(x, y + 50)
          await ana.page.clock.resume()
          await ana.page.waitForTimeout(1_000)
          if ((await ana.outcome().count()) > 0) throw new Error('It was answered.')
          return 'nothing is sent: for half a second after they moved, the buttons take no click'
        },
      },
      {
        attack: 'sends something out by WebRTC, and by frames that its policy does not let it show',
        async run() {
          let reached = 0
          const stun = createSocket('udp4').on('message', () => reached++)
          const site = createServer(() => reached++)
          await Promise.all([
            new Promise<void>(resolve => stun.bind(0, '127.0.0.1', resolve)),
            new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve)),
          ])
          onTestFinished(() => {
            stun.close()
            site.close()
          })
          const { port } = site.address() as { port: number }
          const ana = await shown(
            rig,
            `const connection = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${stun.address().port}' }] })
             connection.createDataChannel('x')
             connection.createOffer().then(offer => connection.setLocalDescription(offer)).catch(() => {})
             const frame = document.createElement('iframe')
             frame.src = 'http://127.0.0.1:${port}/'
             document.body.append(frame)`,
          )
          await ana.page.waitForTimeout(2_000)
          ana.complaints.length = 0
          const version = Number.parseInt(ana.page.context().browser()?.version() ?? '', 10)
          if (reached > 0 && version >= knowsAllowlist) throw new Error(`Something got out ${reached} times.`)
          return 'nothing gets out, in a browser that knows `Connection-Allowlist`'
        },
      },
    ],
  }
}
