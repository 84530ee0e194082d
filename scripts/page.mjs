// The inbox's page, built when its sources changed. It is built beside where it belongs and then moved there, so that two
// processes that find it old at the same time do not disturb each other.

import { randomUUID } from 'node:crypto'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { capture, root } from './run.mjs'

const inbox = join(root, 'packages/inbox')
const page = join(inbox, 'dist/page')
const sources = ['src', 'vite.config.ts', 'package.json', '../core/src'].map(name => join(inbox, name))

/**
 * Builds the page, unless it is newer than everything that it is made of.
 * @returns {Promise<boolean>} whether it is there; when not, the reason has been printed
 */
export async function ensurePage() {
  const changedAt = await lastChange()
  if ((await builtAt()) > changedAt) return true
  const folder = join(inbox, `dist/page-${randomUUID()}`)
  const { code, output } = await build(folder)
  if (code !== 0) {
    console.error(output)
    await rm(folder, { recursive: true, force: true })
    return false
  }
  // Unless someone else was faster, with the same page.
  if ((await builtAt()) <= changedAt) {
    await rename(page, `${folder}-before`).catch(() => {})
    await rename(folder, page).catch(() => {})
  }
  for (const left of [folder, `${folder}-before`]) await rm(left, { recursive: true, force: true })
  return true
}

/**
 * The page, and then its service worker beside it.
 * @param {string} folder
 */
async function build(folder) {
  const options = ['--config', join(inbox, 'vite.config.ts'), '--outDir', folder, '--logLevel', 'warn']
  const page = await capture('vite', ['build', ...options])
  return page.code === 0 ? capture('vite', ['build', '--mode', 'worker', ...options]) : page
}

/** @returns {Promise<number>} when the page was built, in milliseconds; 0 when it never was */
async function builtAt() {
  return stat(join(page, 'index.html')).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}

/** @returns {Promise<number>} when a source was last changed, in milliseconds */
async function lastChange() {
  const times = await Promise.all(sources.map(timesIn))
  return Math.max(...times.flat())
}

/**
 * @param {string} path
 * @returns {Promise<number[]>}
 */
async function timesIn(path) {
  const found = await stat(path)
  if (!found.isDirectory()) return [found.mtimeMs]
  const names = (await readdir(path, { recursive: true })).filter(name => !/\.test(-d)?\.ts$/.test(name))
  return Promise.all(names.map(async name => (await stat(join(path, name))).mtimeMs))
}
