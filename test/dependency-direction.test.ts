// Dependencies between packages point one way. A new package says here what it may import.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsOf, sourcesOf } from './sources.js'

const mayImport: Record<string, readonly string[]> = {
  core: [],
  server: ['core'],
  inbox: ['core'],
  desk: ['core', 'server', 'inbox'],
  host: ['core', 'desk'],
  sqlite: ['server'],
  postgres: ['server'],
  redis: ['server'],
  app: ['core'],
  gateway: ['core', 'server'],
  cli: ['core', 'server', 'desk', 'host', 'sqlite', 'postgres', 'redis', 'gateway'],
}

const packagesFolder = new URL('../packages/', import.meta.url)
const folders = readdirSync(packagesFolder)
const nameOf = new Map(folders.map(folder => [folder, manifestOf(folder).name]))

describe.each(folders)('packages/%s', folder => {
  it('is listed here', () => {
    expect(Object.keys(mayImport)).toContain(folder)
  })

  it('depends on no package of ours but those it may', () => {
    const { dependencies = {}, peerDependencies = {}, optionalDependencies = {} } = manifestOf(folder)
    const specifiers = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })
    expect(forbidden(folder, specifiers)).toEqual([])
  })

  it('imports no package of ours but those it may, and no file outside its own folder', () => {
    const sources = sourcesOf(folder)
    expect(sources).not.toEqual([])
    for (const source of sources) {
      const specifiers = importsOf(source)
      const outside = specifiers
        .filter(specifier => specifier.startsWith('.'))
        .filter(
          specifier => !normalize(`${dirname(source.fileName)}/${specifier}`).startsWith(`packages/${folder}/src/`),
        )
      expect([...forbidden(folder, specifiers), ...outside], source.fileName).toEqual([])
    }
  })
})

function forbidden(folder: string, specifiers: string[]): string[] {
  const others = folders.filter(other => !(mayImport[folder] ?? []).includes(other)).map(other => nameOf.get(other))
  return specifiers.filter(specifier => others.some(name => specifier === name || specifier.startsWith(`${name}/`)))
}

interface Manifest {
  name: string
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(new URL(`${folder}/package.json`, packagesFolder), 'utf8'))
}
