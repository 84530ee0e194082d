// A clone has no packages yet, and every command installs what it needs: so nothing that is loaded at its start may be one.
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, it } from 'vitest'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
const commands = Object.values(scripts)
  .flatMap(command => /^node (scripts\/\S+\.mjs)/.exec(command)?.[1] ?? [])
  // It reads what is built, and builds nothing.
  .filter(command => command !== 'scripts/api-report.mjs')
const statement = /^(?:import|export)\s[^'"]*?from\s+'([^']+)'|^import '([^']+)'/gm

/** The packages that a file loads before its first line, as `file: package`. */
function packagesOf(path: string, seen: Set<string>): string[] {
  if (seen.has(path)) return []
  seen.add(path)
  return [...readFileSync(path, 'utf8').matchAll(statement)].flatMap(([, named, bare]) => {
    const from = named ?? bare ?? ''
    if (from.startsWith('node:')) return []
    return from.startsWith('.') ? packagesOf(resolve(dirname(path), from), seen) : [`${path}: ${from}`]
  })
}

it.each(commands)('%s begins in a clone in which nothing is installed', command => {
  expect(packagesOf(resolve(command), new Set())).toEqual([])
})

it('has commands', () => {
  expect(commands).toContain('scripts/test.mjs')
})
