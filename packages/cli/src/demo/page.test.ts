import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { launchChromium, noBrowser } from '../../../../test/chromium.js'
import { pagePath, servePage } from './page.js'

const hasBrowser = noBrowser === undefined
if (!hasBrowser) console.log('- the page of the demo in a browser: skipped, since there is no Chromium')

it.skipIf(!hasBrowser)('is signed by whoever was sent there, in a real browser', { timeout: 240_000 }, async () => {
  const completed: string[] = []
  const server = createServer((incoming, outgoing) => {
    void servePage(incoming, outgoing, async id => completed.push(id) === 1)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const browser = await launchChromium()
  onTestFinished(async () => {
    await browser.close()
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  const page = await browser.newPage()
  page.setDefaultTimeout(100_000)
  await page.goto(`http://127.0.0.1:${port}${pagePath}?id=7`)
  await page.getByRole('button', { name: 'Sign' }).click()
  await page.getByRole('heading', { name: 'Signed' }).waitFor()
  expect(completed).toEqual(['7'])
})
