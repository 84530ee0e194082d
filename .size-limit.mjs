import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export default [everythingOf('packages/core', '14 KB')]

/**
 * All that a package exports, in one bundle: what its entries share counts once.
 * @param {string} folder
 * @param {string} limit
 */
function everythingOf(folder, limit) {
  const from = new URL(`${folder}/`, import.meta.url)
  /** @type {{ name: string, exports: Record<string, { default: string }> }} */
  const manifest = JSON.parse(readFileSync(new URL('package.json', from), 'utf8'))
  const path = Object.values(manifest.exports).map(entry => fileURLToPath(new URL(entry.default, from)))
  const contents = path.map((file, index) => `export * as entry${index} from ${JSON.stringify(file)}`).join('\n')
  return {
    name: manifest.name,
    path,
    limit,
    modifyEsbuildConfig(/** @type {object} */ config) {
      return { ...config, entryPoints: [], format: 'esm', stdin: { contents, resolveDir: fileURLToPath(from) } }
    },
  }
}
