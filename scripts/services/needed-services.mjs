// A run of one test need not wait for a database that it does not use. Which services a test uses is told by the names of
// their variables in its text, and in the files of ours that it imports.

import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { services } from './services.mjs'

const imports = /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g

/**
 * The services that these test files use.
 * @param {readonly string[]} files
 */
export function neededServices(files) {
  const seen = new Set(files)
  /** @type {Set<import('./services.mjs').Service>} */
  const needed = new Set()
  for (const file of seen) {
    const text = textOf(file)
    for (const service of services) if (text.includes(service.variable)) needed.add(service)
    // Only the services themselves name all of them.
    for (const [, specifier = ''] of text.matchAll(imports)) {
      const imported = resolve(dirname(file), specifier.replace(/\.js$/, '.ts'))
      if (dirname(imported) !== import.meta.dirname) seen.add(imported)
    }
  }
  return services.filter(service => needed.has(service))
}

/** @param {string} file */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
