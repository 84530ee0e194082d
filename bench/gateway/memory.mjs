// npm run bench -- gateway [--quick]
// The heap of a gateway stays flat over 100,000 accepted asks: half of them on each wire.

import { pushCaller, roundsCaller } from './load/callers.mjs'
import { isQuick } from './load/options.mjs'
import { startGateway } from './load/start.mjs'

const asks = isQuick ? 5_000 : 100_000
const warmUp = isQuick ? 500 : 5_000
const atOnce = 50
/** A leak of one object an ask would be more. */
const maxBytesPerAsk = 40

const gateway = await startGateway()
await accept(warmUp)
const before = (await gateway.tell('heap')).bytes
await accept(asks)
const after = (await gateway.tell('heap')).bytes
gateway.stop()

const perAsk = (after - before) / asks
const isMissed = perAsk > maxBytesPerAsk
const mb = (/** @type {number} */ bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MB`
console.log(
  `${asks} accepted asks: from ${mb(before)} to ${mb(after)}, ${perAsk.toFixed(1)} B each  ${isMissed ? 'NOT under' : 'under'} ${maxBytesPerAsk}`,
)
if (isMissed && !isQuick) process.exitCode = 1

/** @param {number} calls */
async function accept(calls) {
  for (const open of [roundsCaller, pushCaller]) {
    let left = calls / 2
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        const caller = await open(gateway.url)
        while (left-- > 0) await caller.call()
        caller.close()
      }),
    )
  }
}
