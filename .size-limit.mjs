import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const {
  './json-rpc': jsonRpc = '',
  './canonical-json': canonicalJson = '',
  './live': live = '',
  ...model
} = entriesOf('packages/core')
const core = Object.values(model)
const assets = fileURLToPath(new URL('packages/inbox/dist/page/assets/', import.meta.url))
const inbox = existsSync(assets) ? readdirSync(assets).map(name => assets + name) : []

export default [
  bundle('@beckon/core', core, '17 KB'),
  bundle('@beckon/core/json-rpc', [jsonRpc], '2 KB'),
  bundle('@beckon/core/canonical-json', [canonicalJson], '1 KB'),
  bundle('@beckon/core/live', [live], '3 KB'),
  bundle('the inbox: script and styles', inbox, '45 KB'),
  bundle('@beckon/core and the inbox together', [...core, jsonRpc, canonicalJson, live, ...inbox], '60 KB'),
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
 * Several files in one bundle: what they share counts once.
 * @param {string} name
 * @param {string[]} path
 * @param {string} limit
 */
function bundle(name, path, limit) {
  const contents = path.map((file, index) => `export * as entry${index} from ${JSON.stringify(file)}`).join('\n')
  return {
    name,
    path,
    limit,
    modifyEsbuildConfig(/** @type {object} */ config) {
      return { ...config, entryPoints: [], format: 'esm', stdin: { contents, resolveDir: import.meta.dirname } }
    },
  }
}
