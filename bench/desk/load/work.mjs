// The two kinds of work that nodes are measured at: asks that are opened in the nodes themselves, and whole calls of a tool
// over HTTP.
import { Caller } from './caller.mjs'
import { Cycles } from './cycles.mjs'

/** @typedef {import('./cycles.mjs').Sample} Sample */
/** @typedef {import('./nodes.mjs').Nodes} Nodes */

/**
 * @typedef {object} Work
 * @property {number} processes how many share it
 * @property {(atOnce: number) => Promise<unknown>} begin resolves once everyone has been through it once
 * @property {() => Promise<unknown>} mark
 * @property {() => Promise<number>} count how many ended since the mark
 * @property {() => Promise<Sample>} take since the mark, with the CPU time of all nodes and of nobody else
 * @property {() => Promise<unknown>} stop
 */

/**
 * @param {Nodes} nodes
 * @returns {Work}
 */
export function asks({ processes, askable }) {
  return {
    processes: processes.length,
    begin: atOnce =>
      Promise.all(
        processes.map((node, index) => {
          const own = shareOf(index, processes.length, atOnce)
          return node.tell(['begin', { atOnce: own, people: askable(index) }])
        }),
      ),
    mark: () => tellAll(processes, 'mark'),
    async count() {
      const counts = await Promise.all(processes.map(node => node.tell('count')))
      return counts.reduce((sum, { count }) => sum + count, 0)
    },
    async take() {
      const samples = await tellAll(processes, 'take')
      return { ...joined(samples), times: samples.flatMap(({ times }) => times) }
    },
    stop: () => tellAll(processes, 'stop'),
  }
}

/**
 * @param {Nodes} nodes
 * @returns {Work}
 */
export function calls({ processes, askable }) {
  /** @type {Caller[]} */
  let callers = []
  let made = 0
  const cycles = new Cycles(async worker => {
    const node = worker % processes.length
    const people = askable(node)
    callers[worker] ??= new Caller(processes[node]?.url ?? '')
    const text = await callers[worker].call(people[made++ % people.length] ?? '')
    if (text !== 'deployed') throw new Error(`The call ended otherwise: ${text}`)
  })
  return {
    processes: processes.length,
    begin: atOnce => cycles.begin(atOnce),
    async mark() {
      cycles.mark()
      await tellAll(processes, 'mark')
    },
    count: async () => cycles.count,
    async take() {
      const { times, seconds } = cycles.take()
      return { ...joined(await tellAll(processes, 'take')), times, seconds }
    },
    async stop() {
      await cycles.stop()
      for (const caller of callers) caller.close()
      callers = []
    },
  }
}

/**
 * How many of all that go on at once are this node's.
 * @param {number} index
 * @param {number} count
 * @param {number} atOnce
 */
function shareOf(index, count, atOnce) {
  return Math.floor(atOnce / count) + (index < atOnce % count ? 1 : 0)
}

/**
 * @param {Nodes['processes']} processes
 * @param {string} command
 * @returns {Promise<Sample[]>}
 */
function tellAll(processes, command) {
  return Promise.all(processes.map(node => node.tell(command)))
}

/** @param {Sample[]} samples */
function joined(samples) {
  return {
    seconds: Math.max(...samples.map(({ seconds }) => seconds)),
    cpuMs: samples.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  }
}
