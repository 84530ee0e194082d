import { startServer } from '../../wires/load/server-process.mjs'
import { Person } from './person.mjs'

/** @typedef {import('../../wires/load/server-process.mjs').ServerProcess} ServerProcess */

/**
 * Node processes on one store, and people who answer everything.
 * @typedef {object} Nodes
 * @property {ServerProcess[]} processes
 * @property {(node: number) => string[]} askable whom to ask on a node, so that they answer over another one where there is one
 * @property {() => void} close
 */

/** One connection may send 200 messages a second, so it takes many to answer. */
const peopleCount = 100

/**
 * @param {'desk' | 'bare'} kind
 * @param {{ url: string, count?: number, profile?: string | undefined }} options with the store's URL, and how many nodes
 * @returns {Promise<Nodes>}
 */
export async function startNodes(kind, { url, count = 1, profile }) {
  const execArgv = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const processes = await Promise.all(Array.from({ length: count }, () => startNode(kind, { url }, execArgv)))
  /** By the node that they are connected to. @type {string[][]} */
  const names = processes.map(() => [])
  /** @type {Person[]} */
  const people = []
  for (let index = 0; index < peopleCount; index++) {
    const node = index % count
    const person = await Person.open(processes[node]?.url ?? '', `p${index}`)
    await person.answerAll()
    people.push(person)
    names[node]?.push(`p${index}`)
  }
  return {
    processes,
    askable: node => names[(node + 1) % count] ?? [],
    close() {
      for (const person of people) person.close()
      for (const node of processes) node.stop()
    },
  }
}

/**
 * @param {'desk' | 'bare' | 'starting' | 'broadcast'} kind
 * @param {object} options
 * @param {string[]} [execArgv]
 */
export function startNode(kind, options, execArgv = []) {
  const file = new URL(`../servers/${kind}.mjs`, import.meta.url)
  return startServer(file, { args: [JSON.stringify(options)], execArgv })
}
