// `@beckon/core` is the same in a browser, in a server and in a replay: no I/O, no clock, no randomness, and no cast that
// the compiler has to take on trust. Read from the syntax tree, since no linter rule tells `new Date()` from
// `new Date(at)`.

import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { importsOf, parse, sourcesOf } from './sources.js'

const forbiddenGlobals = new Set(
  `Buffer WebSocket XMLHttpRequest clearInterval clearTimeout console crypto fetch globalThis localStorage navigator
   performance process queueMicrotask require self setImmediate setInterval setTimeout window`.split(/\s+/),
)

describe('the sources of core', () => {
  const sources = sourcesOf('core')

  it('are found', () => {
    expect(sources.map(source => source.fileName)).toContain('packages/core/src/forms/form.ts')
  })

  it('reach for nothing outside their arguments, and cast nothing', () => {
    expect(sources.flatMap(impurities)).toEqual([])
  })
})

describe('the check itself', () => {
  it.each([
    ['Date.now()', 'Date.now'],
    ['new Date()', 'new Date() without a time'],
    ['const year = Date()', 'Date() without a time'],
    ['Math.random()', 'Math.random'],
    ['crypto.randomUUID()', 'crypto'],
    ['const later = setTimeout', 'setTimeout'],
    ['const { env } = process', 'process'],
    ['const log = { console }', 'console'],
    ["import { readFile } from 'node:fs'", "import of 'node:fs'"],
    ["export { readFile } from 'node:fs'", "import of 'node:fs'"],
    ["const fs = import('node:fs')", "import of 'node:fs'"],
    ['const form = value as Form', 'as Form'],
    ['const form = value as unknown as Form', 'as Form', 'as unknown'],
    ['const form = <Form>value', 'as Form'],
  ])('finds %s', (text, ...expected) => {
    expect(impurities(parse(text))).toEqual(expected.map(what => `snippet.ts:1: ${what}`))
  })

  it.each([
    'new Date(at)',
    'Date.parse(text)',
    'const kinds = ["a"] as const',
    "import { form as other } from './form.js'",
    'const timing = entry.performance',
    'const names = { process: 1 }',
    'type Shape = { console: string }',
    'interface Options { fetch(url: string): string }',
    '// Date.now() and Math.random() are not for us',
  ])('lets %s pass', text => {
    expect(impurities(parse(text))).toEqual([])
  })
})

function impurities(source: ts.SourceFile): string[] {
  const found: [line: number, what: string][] = importsOf(source)
    .filter(specifier => specifier.startsWith('node:'))
    .map(specifier => [0, `import of '${specifier}'`])
  const visit = (node: ts.Node): void => {
    const what = impurity(node)
    if (what) found.push([source.getLineAndCharacterOfPosition(node.getStart()).line, what])
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found.map(([line, what]) => `${source.fileName}:${line + 1}: ${what}`)
}

function impurity(node: ts.Node): string | undefined {
  if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) {
    return ts.isConstTypeReference(node.type) ? undefined : `as ${node.type.getText()}`
  }
  if (ts.isPropertyAccessExpression(node)) {
    const path = node.getText()
    return path === 'Date.now' || path === 'Math.random' ? path : undefined
  }
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date') {
    return node.arguments?.length ? undefined : 'new Date() without a time'
  }
  if (ts.isCallExpression(node) && node.expression.getText() === 'Date') return 'Date() without a time'
  return ts.isIdentifier(node) && forbiddenGlobals.has(node.text) && !isName(node) ? node.text : undefined
}

/** Whether an identifier names a member, of a value or of a type, rather than a variable. */
function isName(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) return parent.name === node
  return ts.isTypeElement(parent)
}
