// The contract of stores on that of a Durable Object, in workerd.
import { prepareWorker } from './start-worker.mjs'

/** @returns {Promise<import('../../scripts/tally.mjs').Tally>} of its cases */
export async function runStoreContract() {
  const tally = { passed: 0, failed: 0, skipped: 0 }
  const prepared = await prepareWorker('store')
  try {
    const server = await prepared.start()
    try {
      const base = new URL('/', server.url)
      /** @type {string[]} */
      const titles = await (await fetch(base)).json()
      for (const [index, title] of titles.entries()) {
        const outcome = await (await fetch(new URL(String(index), base))).text()
        if (outcome === 'passed') tally.passed++
        else if (outcome.startsWith('skipped')) tally.skipped++
        else tally.failed++
        if (outcome !== 'passed') console.log(`${title}: ${outcome}`)
      }
    } finally {
      await server.stop()
    }
  } finally {
    await prepared.remove()
  }
  console.log(
    `${tally.failed === 0 ? '✓' : '✗'} the store of a Durable Object: ${tally.passed} of ${tally.passed + tally.failed} cases`,
  )
  return tally
}
