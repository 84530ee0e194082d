// A real browser for tests. Where there is none, the tests that need it are skipped, and say so.
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

export const executablePath: string = process.env.BECKON_TEST_CHROMIUM ?? '/usr/bin/chromium'

/** Why there is no browser; undefined where there is one. */
export const noBrowser: string | undefined = existsSync(executablePath)
  ? undefined
  : `no Chromium at ${executablePath}: name one in BECKON_TEST_CHROMIUM`

/** Nothing but the pages. */
export const flags: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser, for its caller to close. */
export function launchChromium(): Promise<Browser> {
  // Only ends what hangs: how fast a machine is does not matter.
  return chromium.launch({ executablePath, args: ['--headless', ...flags], timeout: 60_000 })
}
