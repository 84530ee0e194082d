import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The path of the first of these programs that is on the PATH, or else in one of the folders.
 * @param {readonly string[]} names
 * @param {{ path?: string | undefined, folders?: readonly string[] }} [where]
 * @returns {string | undefined}
 */
export function findProgram(names, { path = process.env.PATH, folders = [] } = {}) {
  const places = [...(path ?? '').split(delimiter).filter(Boolean), ...folders]
  for (const name of names) {
    const found = places.map(place => join(place, name)).find(isProgram)
    if (found) return found
  }
  return undefined
}

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
