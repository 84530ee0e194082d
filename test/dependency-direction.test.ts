// Dependencies between packages point one way. A new package says here what it may import.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, normalize } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { importsOf, parse, sourcesOf } from './sources.js'

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
    // The client for an author's tests stands on the other side, and speaks the revision that it is told to.
    const isOfOne = /src\/(protocol\/(rev\d+\/|codec\.ts)|test\/)/.test(source.fileName)
    if (!isOfOne) expect.soft(revisionChecksIn(source), source.fileName).toEqual([])
  }
})

it.each([
  "peer.revision === '2026-07-28'",
  "version < '2026'",
  "link.era !== '2025'",
  'header !== revision2026',
  'incoming.revision === other',
  'link.codec === rev20260728',
  "revision.startsWith('2025')",
  "['2025-06-18', '2025-11-25'].includes(version)",
  'switch (peer.revision) {}',
  "switch (version) { case '2026-07-28': }",
  'texts[peer.revision]',
  'known.has(peer.revision)',
])('finds that %s asks for the revision', text => {
  expect(revisionChecksIn(parse(text))).toHaveLength(1)
})

it('finds nothing in asking a codec, or in naming a revision', () => {
  const text = "// revision === '2026-07-28'\nif (link.codec.hasSessions) call({ revision: rev20260728.revision })"
  expect(revisionChecksIn(parse(text))).toEqual([])
})

/** Where a source compares a revision with something, or something with a revision. */
function revisionChecksIn(source: ts.SourceFile): string[] {
  const found: string[] = []
  const isRevision = (node: ts.Node) =>
    /(revision|\bera)(20\d+)?$|\brev20\d+$|^\[?'20\d\d\b/i.test(node.getText(source))
  function operandsOf(node: ts.Node): readonly ts.Node[] {
    if (ts.isSwitchStatement(node) || ts.isCaseClause(node)) return [node.expression]
    if (ts.isElementAccessExpression(node)) return [node.argumentExpression]
    if (ts.isBinaryExpression(node))
      return /^[=!]==?$|^[<>]=?$/.test(node.operatorToken.getText(source)) ? [node.left, node.right] : []
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return []
    return /^(startsWith|includes|has|get)$/.test(node.expression.name.text)
      ? [node.expression.expression, ...node.arguments]
      : []
  }
  function visit(node: ts.Node): void {
    if (operandsOf(node).some(isRevision)) found.push(node.getText(source))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

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
