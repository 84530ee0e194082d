// A worker of the example in workerd itself: bundled as wrangler does it, with no flag for anything of Node.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { startProgram } from '../start-server.mjs'
import { testKey } from './stories.mjs'

const workerd = fileURLToPath(
  new URL('./workerd/node_modules/@cloudflare/workerd-linux-64/bin/workerd', import.meta.url),
)
const sources = new URL('../../examples/runtimes/dist/', import.meta.url)
/** The oldest that is supported. */
const compatibilityDate = '2025-05-05'

/** What wrangler gives esbuild. @type {import('esbuild').BuildOptions} */
const workerBundle = {
  bundle: true,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['cloudflare:*', 'node:*'],
}

/**
 * @typedef {object} Worker
 * @property {string} entry
 * @property {{ binding: string, class: string }} [object] a Durable Object with SQLite
 * @property {string[]} [flags]
 */

/** @type {Record<'worker' | 'durable-object' | 'store', Worker>} */
const workers = {
  worker: { entry: fileURLToPath(new URL('worker.js', sources)) },
  'durable-object': {
    entry: fileURLToPath(new URL('durable-object.js', sources)),
    object: { binding: 'TODOS', class: 'Todos' },
  },
  store: {
    entry: fileURLToPath(new URL('./store-worker.mjs', import.meta.url)),
    object: { binding: 'SUBJECT', class: 'Subject' },
    // For the assertions of the contract.
    flags: ['nodejs_compat'],
  },
}

/**
 * @param {keyof typeof workers} name
 * @returns {Promise<import('./stories.mjs').Prepared>} what it keeps is there at each start, until it is removed
 */
export async function prepareWorker(name) {
  const folder = await mkdtemp(join(tmpdir(), 'beckon-workerd-'))
  const config = join(folder, 'config.capnp')
  await build({ ...workerBundle, entryPoints: [workers[name].entry], outfile: join(folder, 'worker.js') })
  await writeFile(config, configOf(workers[name], folder))
  return {
    start: () => startProgram([workerd, 'serve', config, '--control-fd=1'], { addressIn }),
    remove: () => rm(folder, { recursive: true }),
  }
}

/**
 * @param {Worker} worker
 * @param {string} folder where it keeps what it stores
 */
function configOf({ object, flags = [] }, folder) {
  const binding = object && `(name = "${object.binding}", durableObjectNamespace = "${object.class}"),`
  const storage =
    object &&
    `durableObjectNamespaces = [(className = "${object.class}", uniqueKey = "${object.class}", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),`
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "disk", disk = (path = "${folder}", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "${compatibilityDate}",
  compatibilityFlags = ${JSON.stringify(flags)},
  bindings = [(name = "BECKON_KEY", text = "${testKey}"), ${binding ?? ''}],
  ${storage ?? ''}
);
`
}

/** @param {string} line */
function addressIn(line) {
  const port = /"event":"listen","socket":"http","port":(\d+)/.exec(line)?.[1]
  return port && `http://127.0.0.1:${port}/mcp`
}
