// npm run bench -- calls
// The heap of 10,000 suspended calls, and of the records of rounds that were answered.

import { holdSettled, holdSuspended } from './load/hold.mjs'

const { bytesPerCall, bytesLeftPerCall } = await holdSuspended(10_000)
const { bytesPerRecord, bytesGrownPerCall } = await holdSettled(5_000)

for (const [what, bytes, most] of /** @type {const} */ ([
  ['a suspended call, of 10,000', bytesPerCall, 5_000],
  ['left of it once they were dropped', bytesLeftPerCall, 250],
  ['the record of an answered round, with its reply', bytesPerRecord, 5_000],
  ['growth for each call once the records are full', bytesGrownPerCall, 100],
])) {
  const isMissed = bytes > most
  console.log(`${what.padEnd(50)} ${bytes.toFixed(0).padStart(6)} B  ${isMissed ? 'NOT under' : 'under'} ${most}`)
  if (isMissed) process.exitCode = 1
}
