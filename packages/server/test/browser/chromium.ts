// One browser for the tests of a file.
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../../../test/chromium.js'
import { afterEveryFile } from '../../../../test/every-file.js'

export { noBrowser } from '../../../../test/chromium.js'

let launching: Promise<Browser> | undefined

afterEveryFile(async () => {
  const launched = launching
  launching = undefined
  await (await launched)?.close()
})

export function launch(): Promise<Browser> {
  launching ??= launchChromium()
  return launching
}

/** What axe-core finds wrong with a page. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations: found } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  )
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
