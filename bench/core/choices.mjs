// What it costs the server to search a list of 100,000 options: the first time, when its labels are read, and after that.
import { bestMatches } from 'beckon/choices'

const searches = ['city 9', '99', 'nowhere', 'city 4 2', 'e']
const goalMs = 100
const list = () => Array.from({ length: 100_000 }, (_, index) => ({ value: `c${index}`, label: `City ${index}` }))

/** @param {() => unknown} work */
function cpuMs(work) {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1000
}

const known = list()
const measured = [
  ...Array.from({ length: 5 }, () => list()).map(fresh => ({
    what: 'the first search',
    call: () => bestMatches(fresh, 'city 9', 20),
  })),
  ...searches.map(search => ({ what: `"${search}"`, call: () => bestMatches(known, search, 20) })),
]
bestMatches(known, 'city', 20)
for (const { what, call } of measured) {
  const ms = cpuMs(call)
  const isMissed = ms >= goalMs
  console.log(
    `${what.padEnd(20)} ${ms.toFixed(1).padStart(7)} ms of CPU  ${isMissed ? 'NOT under' : 'under'} ${goalMs}`,
  )
  if (isMissed) process.exitCode = 1
}
