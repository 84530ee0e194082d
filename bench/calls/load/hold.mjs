// What calls cost in memory, over HTTP, in a server of their own. Nothing here depends on how fast the machine is.

import { fileURLToPath, pathToFileURL } from 'node:url'
import { answerTo, RoundsConnection } from '../../wires/load/callers.mjs'
import { startServer } from '../../wires/load/server-process.mjs'

/** @typedef {import('../../wires/load/server-process.mjs').ServerProcess} ServerProcess */

const atOnce = 50
const args = { arguments: { topic: 'names' } }

/**
 * Starts the server that calls are held in.
 * @param {{ limits?: object, tools?: number }} options
 * @param {string} [program] its file; by default the server that uses what is built
 */
export function startHolding(options, program = fileURLToPath(new URL('../servers/holding.mjs', import.meta.url))) {
  return startServer(pathToFileURL(program), { args: [JSON.stringify(options)], execArgv: ['--expose-gc'] })
}

/**
 * The heap that a suspended call takes, and what is left of that once all of them were dropped.
 * @param {number} calls
 * @param {string} [program]
 */
export async function holdSuspended(calls, program) {
  const server = await startHolding({ limits: { suspended: calls } }, program)
  try {
    await answered(server, 300) // so that no suspended call pays for the first use of anything
    const before = await heapOf(server)
    await suspended(server, calls)
    const held = await heapOf(server)
    await server.tell('drop')
    const dropped = await heapOf(server)
    return { bytesPerCall: (held - before) / calls, bytesLeftPerCall: (dropped - before) / calls }
  } finally {
    server.stop()
  }
}

/**
 * The heap that the record of an answered round takes while there is room, and by how much the heap grows for each
 * call once there is none.
 * @param {number} calls
 * @param {string} [program]
 */
export async function holdSettled(calls, program) {
  const server = await startHolding({ limits: { replies: calls, rounds: calls } }, program)
  try {
    await answered(server, 300)
    const before = await heapOf(server)
    await answered(server, calls)
    const full = await heapOf(server)
    await answered(server, calls * 3)
    const after = await heapOf(server)
    return { bytesPerRecord: (full - before) / calls, bytesGrownPerCall: (after - full) / (calls * 3) }
  } finally {
    server.stop()
  }
}

/**
 * Makes calls that ask, and leaves them there.
 * @param {ServerProcess} server
 * @param {number} calls
 */
async function suspended(server, calls) {
  await spread(server, calls, async connection => answerTo(await connection.send(args), {}))
}

/**
 * Makes calls that ask, and answers them.
 * @param {ServerProcess} server
 * @param {number} calls
 */
async function answered(server, calls) {
  await spread(server, calls, async connection => {
    const asked = await connection.send(args)
    const { result } = await connection.send({ ...args, ...answerTo(asked, { name: 'Ada' }) })
    if (result?.content?.[0]?.text !== 'hello Ada') throw new Error(`Wrong result: ${JSON.stringify(result)}`)
  })
}

/**
 * @param {ServerProcess} server
 * @param {number} calls
 * @param {(connection: RoundsConnection) => Promise<unknown>} call
 */
async function spread(server, calls, call) {
  let left = calls
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const connection = new RoundsConnection(server.url)
      while (left-- > 0) await call(connection)
      connection.close()
    }),
  )
}

/**
 * @param {ServerProcess} server
 * @returns {Promise<number>}
 */
async function heapOf(server) {
  return (await server.tell('heap')).bytes
}
