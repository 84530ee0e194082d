// Every branch of the code named here runs in some test. An area that matches no file is a failure: vitest's own
// thresholds pass silently once a folder is renamed.

import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { root } from './run.mjs'

/** @typedef {{ start: { line: number } }} Range */
/** @typedef {{ b: Record<string, number[]>, branchMap: Record<string, { loc: Range, locations: Range[] }> }} FileCoverage */

const areas = ['blocks', 'collections', 'errors', 'forms', 'questions', 'secrets', 'state', 'text', 'urls'].map(
  name => `packages/core/src/${name}/`,
)

/**
 * Checks the coverage of the last whole run, and prints what is missing.
 * @returns {Promise<boolean>}
 */
export async function passesCoverageGate() {
  const problems = uncovered(await readCoverage(), areas)
  if (problems.length === 0) return true
  console.error(`\nCoverage: every branch of the model has to run in a test.\n  ${problems.join('\n  ')}\n`)
  return false
}

/**
 * What keeps the gate shut, a line each: an area without a file, a branch that never ran.
 * @param {Record<string, FileCoverage>} coverage by path from the workspace's folder
 * @param {string[]} wanted folders, each ending in a slash
 * @returns {string[]}
 */
export function uncovered(coverage, wanted) {
  return wanted.flatMap(area => {
    const files = Object.entries(coverage).filter(([path]) => path.startsWith(area))
    if (files.length === 0) return [`${area} matches no file: was it moved? The areas are in scripts/coverage-gate.mjs`]
    return files.flatMap(([path, file]) => coldBranches(file).map(line => `${path}:${line}`))
  })
}

/** @param {FileCoverage} file */
function coldBranches(file) {
  return Object.entries(file.branchMap).flatMap(([id, branch]) =>
    // An `else` that is not written has no place of its own.
    (file.b[id] ?? [0]).flatMap((hits, arm) =>
      hits > 0 ? [] : [branch.locations[arm]?.start.line ?? branch.loc.start.line],
    ),
  )
}

/** @returns {Promise<Record<string, FileCoverage>>} */
async function readCoverage() {
  const report = JSON.parse(await readFile(join(root, 'coverage/coverage-final.json'), 'utf8'))
  return Object.fromEntries(
    Object.entries(report).map(([path, file]) => [relative(root, path).replaceAll('\\', '/'), file]),
  )
}
