// What a test runs in a process of its own, put together from its TypeScript, and from the sources of our packages that it
// imports, into one file: Node takes most of a second to load the thousand files of a desk, and half of that from one.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const folder = new URL('../../.cache/programs/', import.meta.url)

/** @type {Map<string, Promise<string>>} */
const known = new Map()

/**
 * The path of the file that Node runs.
 * @param {URL | string} source
 * @returns {Promise<string>}
 */
export function programOf(source) {
  const { href } = new URL(source)
  const path = known.get(href) ?? putTogether(fileURLToPath(href))
  known.set(href, path)
  return path
}

/** @param {string} source */
async function putTogether(source) {
  // Whoever imports this may run before anything is installed.
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    write: false,
    // What is imported only when it is needed stays apart.
    splitting: true,
    outdir: fileURLToPath(folder),
    outExtension: { '.js': '.mjs' },
    mainFields: ['module', 'main'],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@beckon/source'],
    keepNames: true,
    // Each has a file for the machine that it runs on.
    external: ['libsql', 'pg-native', 'playwright-core'],
    // Some packages are CommonJS, and ask for modules of Node.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    plugins: [whereItIs],
  })
  const digest = createHash('sha256')
  for (const { path, contents } of outputFiles) digest.update(path).update(contents)
  const place = fileURLToPath(new URL(digest.digest('hex').slice(0, 16), folder))
  const program = join(place, `${basename(source).replace(/\.\w+$/, '')}.mjs`)
  if (existsSync(place)) {
    const now = new Date()
    await utimes(place, now, now)
    return program
  }
  // Another process may be at the same: whoever runs it gets the whole of it.
  const own = `${place}.${process.pid}`
  await mkdir(own, { recursive: true })
  for (const { path, contents } of outputFiles) await writeFile(join(own, basename(path)), contents)
  await rename(own, place).catch(() => rm(own, { recursive: true }))
  await removeOld()
  return program
}

/** Each change of a source makes another: what nobody ran for a day goes. */
async function removeOld() {
  for (const name of await readdir(folder)) {
    const place = new URL(name, folder)
    const { mtimeMs } = await stat(place).catch(() => ({ mtimeMs: Date.now() }))
    if (mtimeMs < Date.now() - 24 * 60 * 60 * 1000) await rm(place, { recursive: true, force: true })
  }
}

/**
 * A source finds the files beside it where it is, and not where it was put.
 * @type {import('esbuild').Plugin}
 */
const whereItIs = {
  name: 'where it is',
  setup({ onLoad }) {
    onLoad({ filter: /\/packages\/[^/]+\/(src|test)\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' }
    })
  },
}
