// npm run bench -- calls
// What a call costs does not depend on how many tools there are, nor a round on how many came before: server CPU per call,
// everything in turn, as a ratio to the first of its kind.

import { answerTo, RoundsConnection } from '../wires/load/callers.mjs'
import { measure } from '../wires/load/measure.mjs'
import { startHolding } from './load/hold.mjs'

/** @typedef {import('../wires/load/server-process.mjs').ServerProcess} ServerProcess */

const repetitions = 9
const maxRatio = 1.25
const callsPerConnection = 5
const args = { arguments: { topic: 'names' } }

const toolCounts = [1, 100, 1_000]
const servers = await Promise.all(toolCounts.map(tools => startHolding({ tools })))
const perCall = await inTurn(servers, async server => {
  const contender = /** @type {const} */ ({ name: 'Beckon', server: 'holding', wire: 'rounds' })
  return (await measure({ server, contender, atOnce: 100, ms: 500 })).cpuUs
})
const [server] = servers
const rounds = server ? await cohorts(server) : []
for (const each of servers) each.stop()

report(
  'tools, a call',
  toolCounts.map((tools, index) => ({ name: `${tools}`, figures: perCall[index] ?? [] })),
)
report('round of a call', [
  { name: '2', figures: rounds.map(cpuUs => cpuUs[1] ?? 0) },
  { name: '10', figures: rounds.map(cpuUs => cpuUs[9] ?? 0) },
  { name: '20', figures: rounds.map(cpuUs => cpuUs[19] ?? 0) },
])

/**
 * @param {ServerProcess[]} contenders
 * @param {(server: ServerProcess) => Promise<number>} take
 * @returns {Promise<number[][]>} by contender, then by repetition
 */
async function inTurn(contenders, take) {
  /** @type {number[][]} */
  const samples = contenders.map(() => [])
  for (let time = 0; time <= repetitions; time++) {
    for (const [index, contender] of contenders.entries()) {
      const sample = await take(contender)
      if (time > 0) samples[index]?.push(sample) // the first warms up
    }
  }
  return samples
}

/**
 * Takes calls through all of their rounds side by side, and measures each round.
 * @param {ServerProcess} server
 * @returns {Promise<number[][]>} by repetition, then by round: server CPU a call, in microseconds
 */
async function cohorts(server) {
  const connections = Array.from({ length: 100 }, () => new RoundsConnection(server.url, 'ask_often'))
  /** @type {number[][]} */
  const samples = []
  for (let time = 0; time <= repetitions; time++) {
    const cpuUs = []
    let replies = await together(connections, () => args)
    for (let round = 1; round <= 21; round++) {
      const before = await server.cpuUs()
      replies = await together(connections, (_, index) => ({ ...args, ...answerTo(replies[index], { name: 'Ada' }) }))
      cpuUs.push(((await server.cpuUs()) - before) / replies.length)
    }
    if (replies.some(reply => reply.result?.content?.[0]?.text !== 'hello Ada')) throw new Error('A result is wrong')
    if (time > 0) samples.push(cpuUs)
  }
  for (const connection of connections) connection.close()
  return samples
}

/**
 * Sends a request for every call: several on each connection, one after the other.
 * @param {RoundsConnection[]} connections
 * @param {(connection: RoundsConnection, call: number) => Record<string, unknown>} paramsOf
 */
async function together(connections, paramsOf) {
  const replies = await Promise.all(
    connections.map(async (connection, index) => {
      const own = []
      for (let nth = 0; nth < callsPerConnection; nth++) {
        own.push(await connection.send(paramsOf(connection, index * callsPerConnection + nth)))
      }
      return own
    }),
  )
  return replies.flat()
}

/**
 * @param {string} what
 * @param {{ name: string, figures: number[] }[]} rows the first is what the others are compared with, repetition by repetition
 */
function report(what, rows) {
  const [first] = rows
  for (const { name, figures } of rows) {
    const ratio = median(figures.map((figure, index) => figure / (first?.figures[index] ?? Number.NaN)))
    const isMissed = !(ratio <= maxRatio)
    const verdict = `${isMissed ? 'NOT under' : 'under'} ${maxRatio}`
    console.log(
      `${name.padStart(5)} ${what.padEnd(20)} ${median(figures).toFixed(0).padStart(5)} µs  × ${ratio.toFixed(2)}  ${verdict}`,
    )
    if (isMissed) process.exitCode = 1
  }
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
