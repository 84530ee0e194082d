// npm run bench -- urls
// The heap and the timers of 10,000 people who were sent to a page, and are there: of each suspended call, beside its
// records in the store. Once it was accepted, the answered round is remembered as well, for repeats.

import { waitFor } from './load/wait.mjs'

const people = 10_000

for (const tool of /** @type {const} */ (['plain', 'gated'])) {
  const { bytesOfRecords, bytesAsked, bytesAway, timersAway } = await waitFor(people, tool)
  const what = tool === 'plain' ? 'ctx.elicit.url' : 'urlAction'
  say(`${what}: asked, of ${people.toLocaleString('en')}`, bytesAsked, tool === 'plain' ? 5_500 : 7_000, 'B')
  say(`${what}: accepted and away`, bytesAway, tool === 'plain' ? 7_000 : 8_000, 'B')
  say(`${what}: its records in the store`, bytesOfRecords, 2_500, 'B')
  say(`${what}: timers for all of those`, timersAway, 5, '')
}

/**
 * @param {string} what
 * @param {number} amount
 * @param {number} most
 * @param {string} unit
 */
function say(what, amount, most, unit) {
  const isMissed = amount > most
  console.log(
    `${what.padEnd(50)} ${amount.toFixed(0).padStart(6)} ${unit.padEnd(2)} ${isMissed ? 'NOT under' : 'under'} ${most}`,
  )
  if (isMissed) process.exitCode = 1
}
