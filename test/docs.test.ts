import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
]

/** Every snippet of a page, as a file beside it. */
const snippets = new Map(
  pages.flatMap(page =>
    Array.from(
      readFileSync(join(root, page), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms),
      ({ 1: code = '' }, index) => [join(root, `${page.replace('.md', '')}-${index + 1}.snippet.ts`), code] as const,
    ),
  ),
)

it('has snippets that type-check as they stand', () => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.test.json'), ts.sys.readFile)
  const {
    options: { tsBuildInfoFile: _, ...options },
  } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = file => snippets.has(file) || fileExists(file)
  host.readFile = file => snippets.get(file) ?? readFile(file)
  host.getSourceFile = (file, ...rest) => {
    const code = snippets.get(file)
    return code === undefined
      ? getSourceFile(file, ...rest)
      : ts.createSourceFile(file, code, ts.ScriptTarget.ES2023, true)
  }
  const program = ts.createProgram(
    [...snippets.keys(), join(root, 'docs/snippets.d.ts')],
    { ...options, incremental: false },
    host,
  )
  const problems = [...snippets.keys()].flatMap(file => {
    const source = program.getSourceFile(file)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText, start = 0 }) =>
        `${file.slice(root.length + 1)}:${source?.getLineAndCharacterOfPosition(start).line ?? 0} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
  })
  expect(snippets.size).toBeGreaterThan(3)
  expect(problems).toEqual([])
}, 600_000)
