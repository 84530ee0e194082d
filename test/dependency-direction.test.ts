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
  host: ['core', 'server', 'desk'],
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

// A folder may import another one or be imported by it, not both, by however many others in between.
describe.each(folders)('the folders of packages/%s', folder => {
  it('point one way', () => {
    const imports = new Map<string, Set<string>>()
    for (const source of sourcesOf(folder)) {
      const from = folderOf(folder, source.fileName)
      for (const specifier of importsOf(source).filter(path => path.startsWith('.'))) {
        const to = folderOf(folder, normalize(`${dirname(source.fileName)}/${specifier}`))
        if (to !== from) imports.set(from, (imports.get(from) ?? new Set()).add(to))
      }
    }
    expect(imports.size).toBeGreaterThan(1)
    expect(circleIn(imports)).toBeUndefined()
  })
})

it('finds a circle of folders, and none where there is none', () => {
  const graph = (edges: Record<string, string[]>) =>
    new Map(Object.entries(edges).map(([from, to]) => [from, new Set(to)]))
  expect(circleIn(graph({ a: ['b'], b: ['c'], c: ['a'] }))).toBe('a > b > c > a')
  expect(circleIn(graph({ a: ['b', 'c'], b: ['c'] }))).toBeUndefined()
})

/** The first folder below `src`; for a file that is in none, the file. */
function folderOf(packageFolder: string, path: string): string {
  return path.slice(`packages/${packageFolder}/src/`.length).split('/')[0] ?? ''
}

function circleIn(imports: ReadonlyMap<string, ReadonlySet<string>>): string | undefined {
  const done = new Set<string>()
  function visit(folder: string, path: readonly string[]): string | undefined {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder].join(' > ')
    if (done.has(folder)) return undefined
    for (const next of imports.get(folder) ?? []) {
      const circle = visit(next, [...path, folder])
      if (circle !== undefined) return circle
    }
    done.add(folder)
    return undefined
  }
  for (const folder of imports.keys()) {
    const circle = visit(folder, [])
    if (circle !== undefined) return circle
  }
  return undefined
}

it('asks which revision it is in no folder of the server but those of the revisions', () => {
  for (const source of sourcesOf('server')) {
    const isOfOne = /src\/(protocol\/(rev\d+|codec)|test)/.test(source.fileName)
    if (!isOfOne) expect(source.text, source.fileName).not.toMatch(/[=<>]= '20\d\d-\d\d-\d\d'/)
  }
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
