// A real browser for tests. Where there is none, the tests that need it are skipped, and say so.
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const shell = process.env.BECKON_TEST_CHROMIUM ?? '/usr/bin/chromium'

/** One that has notifications and a password manager, too: its headless shell shows pages alone. */
export const fullPath: string = process.env.BECKON_TEST_FULL_CHROMIUM ?? '/usr/bin/chromium'

const missing = (path: string, variable: string) =>
  existsSync(path) ? undefined : `no Chromium at ${path}: name one in ${variable}`

/** Why there is no browser; undefined where there is one. */
export const noBrowser: string | undefined = missing(shell, 'BECKON_TEST_CHROMIUM')

/** The same for a full one. */
export const noFullBrowser: string | undefined = missing(fullPath, 'BECKON_TEST_FULL_CHROMIUM')

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
export function launchChromium({ isFull = false } = {}): Promise<Browser> {
  const executablePath = isFull ? fullPath : shell
  // Only ends what hangs: how fast a machine is does not matter.
  return chromium.launch({ executablePath, args: ['--headless', ...flags], timeout: 60_000 })
}
