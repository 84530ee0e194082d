// One server (examples/runtimes) on every runtime, asked over both eras. The runtimes are installed here, by locks of their own:
// workerd apart, since every run of the tests tries it.
import { fileURLToPath } from 'node:url'
import { sum } from '../../scripts/tally.mjs'
import { startProgram } from '../start-server.mjs'
import { writeTable } from './runtimes-table.mjs'
import { prepareWorker } from './start-worker.mjs'
import { runStoreContract } from './store-contract.mjs'
import { runStories, testKey } from './stories.mjs'

/** @typedef {import('./stories.mjs').Prepared} Prepared */
/** @typedef {import('./runtimes-table.mjs').Row} Row */
/**
 * @typedef {object} Way
 * @property {string} runtime
 * @property {string | undefined} from the package that it is installed by; undefined for the Node that runs this
 * @property {string} served by what
 * @property {() => Promise<Prepared>} prepare
 * @property {'none' | 'stored'} [tasks] whether it has no tasks, or keeps them; left out where they are in memory
 */

/** The packages have binaries for one platform. */
export const canTryRuntimes = process.platform === 'linux' && process.arch === 'x64'

const binaries = fileURLToPath(new URL('./node_modules/', import.meta.url))
const example = fileURLToPath(new URL('../../examples/runtimes/dist/', import.meta.url))
const [bun, deno] = [`${binaries}@oven/bun-linux-x64/bin/bun`, `${binaries}@deno/linux-x64-glibc/deno`]
const denoRun = [deno, 'run', '--allow-all', '--node-modules-dir=manual', '--no-lock']

/** @type {Way[]} */
const onWorkerd = [
  {
    runtime: 'workerd',
    from: '@cloudflare/workerd-linux-64',
    served: '`fetch`',
    prepare: () => prepareWorker('worker'),
    // A call goes on between requests, and nothing does there.
    tasks: 'none',
  },
  {
    runtime: 'workerd, in a Durable Object',
    from: '@cloudflare/workerd-linux-64',
    served: '`fetch`',
    prepare: () => prepareWorker('durable-object'),
    tasks: 'stored',
  },
]

/** @type {Way[]} */
const all = [
  ...['20', '22', '24'].flatMap(version => onNode(`node-${version}`, `${binaries}node-${version}/bin/node`)),
  { runtime: 'Bun', from: '@oven/bun-linux-x64', served: '`listen`', prepare: program(bun, `${example}node.js`) },
  { runtime: 'Bun', from: '@oven/bun-linux-x64', served: '`fetch`', prepare: program(bun, `${example}bun.js`) },
  {
    runtime: 'Deno',
    from: '@deno/linux-x64-glibc',
    served: '`listen`',
    prepare: program(...denoRun, `${example}node.js`),
  },
  {
    runtime: 'Deno',
    from: '@deno/linux-x64-glibc',
    served: '`fetch`',
    prepare: program(...denoRun, `${example}deno.js`),
  },
  ...onWorkerd,
]

/**
 * The short form tries the Node that runs it and workerd. The whole one tries all, and writes the table when nothing failed.
 * @param {{ isShort: boolean }} options
 * @returns {Promise<import('../../scripts/tally.mjs').Tally>} of stories
 */
export async function runRuntimes({ isShort }) {
  /** @type {Row[]} */
  const rows = []
  for (const way of isShort ? [...onNode(undefined, process.execPath), ...onWorkerd] : all)
    rows.push(...(await tried(way)))
  const count = (/** @type {boolean} */ passed) =>
    rows.flatMap(({ stories }) => Object.values(stories)).filter(worked => worked === passed).length
  const tally = sum([{ passed: count(true), failed: count(false), skipped: 0 }, await runStoreContract()])
  if (!isShort && tally.failed === 0) await writeTable(rows)
  return tally
}

/**
 * @param {Way} way
 * @returns {Promise<Row[]>} one for each era
 */
async function tried({ runtime, from, served, prepare, tasks }) {
  /** @type {Row[]} */
  const rows = []
  for (const era of /** @type {const} */ (['2025', '2026', 'tasks'])) {
    if (era === 'tasks' && tasks === 'none') continue
    const { stories, problems } = await runStories(prepare, { era, hasStore: tasks === 'stored' })
    const isFine = problems.length === 0
    console.log([`${isFine ? '✓' : '✗'} ${runtime}, ${served}, ${era}`, ...problems].join('\n'))
    rows.push({ runtime, from, served, era, stories })
  }
  return rows
}

/**
 * @param {string | undefined} from
 * @param {string} node
 * @returns {Way[]}
 */
function onNode(from, node) {
  return [
    { runtime: 'Node', from, served: '`listen`', prepare: program(node, `${example}node.js`) },
    { runtime: 'Node', from, served: '`fetch`', prepare: program(node, `${example}node-fetch.js`) },
  ]
}

/**
 * @param {string[]} command
 * @returns {() => Promise<Prepared>}
 */
function program(...command) {
  const env = { DENO_NO_UPDATE_CHECK: '1', NODE_OPTIONS: '', BECKON_KEY: testKey }
  return async () => ({ start: () => startProgram(command, { env }), remove: async () => {} })
}
