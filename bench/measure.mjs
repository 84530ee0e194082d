// Times a synchronous function that takes microseconds or less. The clock is read once a batch, since reading it costs
// about as much as what is measured.

const warmupMs = 300
const measuredMs = 1_000
const batchCalls = 200

// Results go here, so that the compiler cannot drop a call whose result nobody reads.
const kept = { result: /** @type {unknown} */ (undefined) }

/**
 * @param {(index: number) => unknown} call gets the number of the call within its batch
 * @returns {number} microseconds a call, at the median of the batches
 */
export function medianMicros(call) {
  batchesFor(warmupMs, call)
  const times = batchesFor(measuredMs, call).sort((a, b) => a - b)
  return ((times[times.length >> 1] ?? 0) * 1000) / batchCalls
}

/**
 * @param {number} durationMs
 * @param {(index: number) => unknown} call
 * @returns {number[]} milliseconds a batch
 */
function batchesFor(durationMs, call) {
  const times = []
  const end = performance.now() + durationMs
  while (performance.now() < end) {
    const began = performance.now()
    for (let index = 0; index < batchCalls; index++) kept.result = call(index)
    times.push(performance.now() - began)
  }
  return times
}
