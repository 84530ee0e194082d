// How many nodes and databases carry so many open asks and so many answers a second. Arithmetic on costs that were measured one
// ask at a time, and on assumptions that stand here: nothing of this size was run.

/**
 * What an ask costs, from its opening to its outcome.
 * @typedef {object} StoreCosts
 * @property {number} nodeCpuMs of the node
 * @property {number} storeCpuMs of the database
 * @property {number} bytes of the database while it is open: of the disk, or with Redis of memory
 */

/** @typedef {{ openAsks: number, answersPerSecond: number, watchers: number }} Wanted */

export const assumed = {
  /** A core is not loaded further than this: above it, waiting grows faster than work. */
  busy: 0.6,
  /** Cores of a database server that are at work at once, of which each does less than one alone. */
  postgresCores: 32,
  postgresScaling: 0.6,
  /** What one server holds: a disk for Postgres and SQLite, memory for Redis. */
  diskBytes: 8e12,
  memoryBytes: 64e9,
  /** Heap of a node that is used for people who look. */
  nodeHeapBytes: 2e9,
}

/** @param {number} cpuMs for each */
function perCore(cpuMs) {
  return (assumed.busy * 1000) / cpuMs
}

/**
 * What one database carries.
 * @param {'sqlite' | 'postgres' | 'redis'} store
 * @param {StoreCosts} costs
 * @returns {{ asksPerSecond: number, openAsks: number }}
 */
export function oneServer(store, { nodeCpuMs, storeCpuMs, bytes }) {
  switch (store) {
    // It runs in the node, and one process writes at a time.
    case 'sqlite':
      return { asksPerSecond: perCore(nodeCpuMs), openAsks: assumed.diskBytes / bytes }
    case 'postgres': {
      const cores = assumed.postgresCores * assumed.postgresScaling
      return { asksPerSecond: cores * perCore(storeCpuMs), openAsks: assumed.diskBytes / bytes }
    }
    // One core runs the commands.
    case 'redis':
      return { asksPerSecond: perCore(storeCpuMs), openAsks: assumed.memoryBytes / bytes }
  }
}

/**
 * How many nodes, and how many databases, with the asks spread evenly over them.
 * @param {'sqlite' | 'postgres' | 'redis'} store
 * @param {StoreCosts & { watcherBytes: number }} costs
 * @param {Wanted} wanted
 */
export function carry(store, costs, { openAsks, answersPerSecond, watchers }) {
  const one = oneServer(store, costs)
  const byRate = answersPerSecond / one.asksPerSecond
  const bySize = openAsks / one.openAsks
  const servers = Math.ceil(Math.max(byRate, bySize))
  const nodesByCpu = answersPerSecond / perCore(costs.nodeCpuMs)
  const nodesByHeap = (watchers * costs.watcherBytes) / assumed.nodeHeapBytes
  return {
    servers,
    nodes: Math.ceil(Math.max(nodesByCpu, nodesByHeap)),
    bytes: openAsks * costs.bytes,
    first: byRate >= bySize ? 'CPU of the database' : 'room in the database',
    nodesFor: nodesByCpu >= nodesByHeap ? 'CPU' : 'heap of those who look',
  }
}
