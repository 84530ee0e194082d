import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const {
  './json-rpc': jsonRpc = '',
  './canonical-json': canonicalJson = '',
  './blocks': blocks = '',
  './widgets': widgets = '',
  './live': live = '',
  ...model
} = entriesOf('packages/core')
const core = Object.values(model)
const { './widget': widgetPage = '' } = entriesOf('packages/server')
const page = fileURLToPath(new URL('packages/inbox/dist/page/', import.meta.url))
const inbox = firstLoad()
const later = existsSync(page)
  ? readdirSync(`${page}assets`).flatMap(name =>
      inbox.includes(`${page}assets/${name}`) ? [] : [`${page}assets/${name}`],
    )
  : []

const { '.': server = '' } = entriesOf('packages/server')

export default [
  bundle('@beckon/core', core, '18 KB'),
  bundle('@beckon/core/json-rpc', [jsonRpc], '2 KB'),
  bundle('@beckon/core/blocks', [blocks], '8 KB'),
  bundle('@beckon/core/canonical-json', [canonicalJson], '1 KB'),
  bundle('@beckon/core/live', [live], '3 KB'),
  bundle('@beckon/core/widgets', [widgets], '2 KB'),
  bundle('beckon/widget, for the page of a widget', [widgetPage], '6 KB'),
  bundle('the inbox: script and styles', inbox, '45 KB', later),
  bundle('the inbox: what is loaded when it is needed', later, '40 KB', inbox),
  worker('beckon in a Worker, without a desk', server, '150 KB'),
  bundle('@beckon/core and the inbox together', [...core, jsonRpc, canonicalJson, live, ...inbox], '60 KB', later),
]

/**
 * The files that a package exports, by subpath.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
function entriesOf(folder) {
  const from = new URL(`${folder}/`, import.meta.url)
  /** @type {{ exports: Record<string, { default: string }> }} */
  const manifest = JSON.parse(readFileSync(new URL('package.json', from), 'utf8'))
  const entries = Object.entries(manifest.exports)
  return Object.fromEntries(entries.map(([subpath, entry]) => [subpath, fileURLToPath(new URL(entry.default, from))]))
}

/**
 * What the page of the inbox loads before anyone clicks: what it names, and what that imports.
 * @returns {string[]}
 */
function firstLoad() {
  if (!existsSync(page)) return []
  const named = [...readFileSync(`${page}index.html`, 'utf8').matchAll(/assets\/([\w.-]+\.(?:js|css))/g)]
  return [...new Set(named.map(([, name]) => `${page}assets/${name}`))]
}

/**
 * A server as wrangler bundles it, and as Cloudflare counts it: by gzip.
 * @param {string} name
 * @param {string} path
 * @param {string} limit
 */
function worker(name, path, limit) {
  return {
    name,
    path,
    limit,
    import: '{ createServer }',
    gzip: true,
    modifyEsbuildConfig: (/** @type {object} */ config) => ({
      ...config,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      conditions: ['workerd', 'worker', 'browser'],
      external: ['node:*'],
    }),
  }
}

/**
 * Several files in one bundle: what they share counts once.
 * @param {string} name
 * @param {string[]} path
 * @param {string} limit
 * @param {string[]} external what does not count
 */
function bundle(name, path, limit, external = []) {
  const contents = path.map((file, index) => `export * as entry${index} from ${JSON.stringify(file)}`).join('\n')
  return {
    name,
    path,
    limit,
    modifyEsbuildConfig(/** @type {object} */ config) {
      return {
        ...config,
        entryPoints: [],
        format: 'esm',
        external,
        stdin: { contents, resolveDir: import.meta.dirname },
      }
    },
  }
}
