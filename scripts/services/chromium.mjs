import { findProgram } from './find-program.mjs'

/** @returns {string | undefined} the path of the browser */
export function findChromium() {
  return findProgram(['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'])
}
