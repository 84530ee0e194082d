// What `npm start` starts, in two browsers: the second person is another name of this machine, one ask takes both of them, and a
// rule is made with a click.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, hasBrowser, patienceMs, Rig } from '../../inbox/test/rig.js'
import { violations } from '../../inbox/test/violations.js'
import { type Running, startBeckon } from './beckon.js'
import { connectHttp, type Era, eras, newClient, patience, textOf } from './clients.js'

const rig = new Rig()
let demo: Running
let mcp = ''
const pages: Page[] = []

describe.skipIf(!hasBrowser)('what `npm start` starts', { timeout: 4 * patienceMs }, () => {
  beforeAll(async () => {
    await rig.launch()
    // `scripts/start.mjs` runs this very command, once everything is built.
    demo = startBeckon(['demo', '--port', '0', '--store', 'memory'])
    mcp = (await demo.written(/claude mcp add --transport http beckon (\S+)/))[1] ?? ''
  }, 4 * patienceMs)

  afterAll(async () => {
    for (const page of pages) await page.context().close()
    await demo?.stop()
    await rig.close()
  }, patienceMs)

  async function visit(link: string): Promise<Page> {
    const context = await rig.browser?.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
    const page = await context?.newPage()
    if (page === undefined) throw new Error('There is no browser.')
    page.setDefaultTimeout(patienceMs)
    pages.push(page)
    await page.goto(link)
    return page
  }

  const open = async (page: Page, words: string) => {
    await page.locator('beckon-ask-list .row', { hasText: words }).first().click()
    await page.locator('beckon-request .message', { hasText: words }).waitFor()
  }
  const press = (page: Page, name: string) =>
    page.locator('beckon-request').getByRole('button', { name, exact: true }).first().click()

  async function call(era: Era, name: string): Promise<{ readonly result: Promise<string>; close(): Promise<void> }> {
    const client = await connectHttp(newClient(era), mcp)
    return { result: client.callTool({ name }, patience).then(textOf), close: () => client.close() }
  }

  it('lets Ada allow something for good with one click, and take that back', async () => {
    const ada = await visit((await demo.written(/Inbox:\s+(\S+)/))[1] ?? '')
    const first = await call('2026', 'water_plants')
    await open(ada, 'Water the plants')
    await press(ada, 'Always allow…')
    await ada.getByRole('button', { name: 'Allow from now on, and accept' }).waitFor()
    expect(await violations({ page: ada })).toEqual([])
    await ada.getByRole('button', { name: 'Allow from now on, and accept' }).click()
    expect(await first.result).toBe('Watered.')
    await first.close()
    for (const era of eras) {
      const again = await call(era, 'water_plants')
      expect(await again.result).toBe('Watered.')
      await again.close()
    }
    await ada.getByRole('button', { name: 'You', exact: true }).click()
    await ada.getByRole('button', { name: /^Revoke:/ }).click()
    await ada.getByText('It is revoked: you are asked again.').waitFor()
    await ada.keyboard.press('Escape')
    const asked = await call('2025', 'water_plants')
    await eventually(() => ada.locator('beckon-ask-list .row', { hasText: 'Water the plants' }).count()).toBe(1)
    await open(ada, 'Water the plants')
    await press(ada, 'Decline')
    expect(await asked.result).toBe('The plants stay dry.')
    await asked.close()
  })

  it('has Grace to switch to, for what takes two', async () => {
    const [ada] = pages
    if (ada === undefined) throw new Error('Ada is not here.')
    const grace = await visit((await demo.written(/Grace's:\s+(\S+)/))[1] ?? '')
    const published = await call('2026', 'publish_post')
    await open(ada, 'Publish')
    await press(ada, 'Accept')
    await ada.getByText(/Not yet:/).waitFor()
    await open(grace, 'Publish')
    await press(grace, 'Accept')
    expect(await published.result).toBe('The post is out.')
    await published.close()
  })
})
