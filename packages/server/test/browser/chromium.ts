// A real browser for the pages. Where there is none, the tests that need it are skipped, and say so.
import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll } from 'vitest'

export const executablePath = process.env.BECKON_TEST_CHROMIUM ?? '/usr/bin/chromium'

/** Why there is no browser; undefined where there is one. */
export const noBrowser: string | undefined = existsSync(executablePath)
  ? undefined
  : `no Chromium at ${executablePath}: name one in BECKON_TEST_CHROMIUM`

/** Nothing but the pages. */
export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let launching: Promise<Browser> | undefined

afterAll(async () => {
  await (await launching)?.close()
})

export function launch(): Promise<Browser> {
  launching ??= chromium.launch({ executablePath, args: ['--headless', ...flags] })
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
