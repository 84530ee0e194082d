// What was compiled is kept by its content, since a compiler takes longer to load than most of what is run here.
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const cache = new URL('../../../.cache/typescript/', import.meta.url)

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, next) {
  const isOurs = context.parentURL?.endsWith('.ts') && specifier.startsWith('.') && specifier.endsWith('.js')
  return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context)
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const text = await readFile(fileURLToPath(url), 'utf8')
  const kept = new URL(`${createHash('sha256').update(text).digest('hex')}.js`, cache)
  const source = await readFile(kept, 'utf8').catch(() => compile(text, kept))
  return { format: 'module', source, shortCircuit: true }
}

/**
 * @param {string} text
 * @param {URL} kept
 */
async function compile(text, kept) {
  const { default: ts } = await import('typescript')
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  })
  await mkdir(cache, { recursive: true })
  // Another process may be at the same file: whoever reads it gets the whole of it.
  const own = new URL(`${kept.href}.${process.pid}`)
  await writeFile(own, outputText)
  await rename(own, kept)
  return outputText
}
