import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const executablePath = process.env.BECKON_TEST_CHROMIUM ?? '/usr/bin/chromium'
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser; undefined where there is none. */
export async function launchBrowser(): Promise<Browser | undefined> {
  return existsSync(executablePath) ? chromium.launch({ executablePath, args }) : undefined
}
