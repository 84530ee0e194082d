// The gallery in a real browser: every widget is shown, in the dark and from right to left as well, and its answers are written down.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import axe from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium, noBrowser } from '../../../../test/chromium.js'
import { galleryPath, serveGallery } from './gallery.js'

describe.skipIf(noBrowser !== undefined)('the gallery', { timeout: 240_000 }, () => {
  let browser: Browser
  let server: Server
  beforeAll(async () => {
    server = createServer((incoming, outgoing) => serveGallery(incoming, outgoing))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    browser = await launchChromium()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    server.close()
  })

  it('shows every ready widget, in both themes and directions, and what is answered', async () => {
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('console', message => void (message.type() === 'error' && complaints.push(message.text())))
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${galleryPath}`)
    const inside = (title: string) => page.frameLocator(`iframe[title="${title}"]`)
    await inside('Choose one').getByRole('heading', { name: 'Where to?' }).waitFor()
    await inside('Choose rows').getByRole('checkbox', { name: 'us-1' }).waitFor()
    await inside('Review a change').getByText('setting.9 = "new"').waitFor()
    await inside('Choose an image').getByRole('radio', { name: 'Blue' }).waitFor()
    await page.getByRole('button', { name: 'Light or dark' }).click()
    await page.getByRole('button', { name: 'Left or right' }).click()
    await inside('Choose rows').locator('html[data-theme=dark][dir=rtl]').waitFor()
    for (const frame of page.frames().slice(1)) {
      await frame.evaluate(axe.source)
      const found = await frame.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }
        return (await axe.run()).violations.map(({ id }) => id)
      })
      expect(found).toEqual([])
    }
    // By the keyboard: a click waits until a frame is drawn twice alike, and a browser may leave one undrawn that nobody sees.
    await inside('Choose an image').getByRole('radio', { name: 'Blue' }).press('Space')
    await inside('Choose an image').getByRole('button', { name: 'Choose' }).press('Enter')
    await page.getByText('{"action":"accept","content":{"choice":"Blue"}}').waitFor()
    const file = { name: 'a <b>.txt', mimeType: 'text/plain', buffer: Buffer.from('three') }
    await inside('Upload files').getByLabel('Invoice').setInputFiles(file)
    await inside('Upload files').getByText('5 bytes, which were counted and not kept').first().waitFor()
    await inside('Upload files').getByRole('button', { name: 'Send file' }).press('Enter')
    await page.getByText('{"action":"accept","content":{"invoice":"counted"}}').waitFor()
    expect(complaints).toEqual([])
  })
})
