// A vitest reporter that writes the run's tally to the file named in BECKON_TALLY. A file that does not load and an
// error outside any test count as failed, each once: vitest's own counts of tests leave them out.

import { writeFileSync } from 'node:fs'

export default class TallyReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const tally = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      if (module.errors().length > 0) tally.failed += 1
      for (const suite of module.children.allSuites()) if (suite.errors().length > 0) tally.failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'pending') tally.failed += 1
        else tally[state] += 1
      }
    }
    if (process.env.BECKON_TALLY) writeFileSync(process.env.BECKON_TALLY, JSON.stringify(tally))
  }
}
