import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const pages = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
  ...readdirSync(join(root, 'packages')).map(name => `packages/${name}/README.md`),
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
  host.getSourceFile = (file, language, ...rest) => {
    const code = snippets.get(file)
    return code === undefined ? getSourceFile(file, language, ...rest) : ts.createSourceFile(file, code, language, true)
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

it('has links that lead somewhere', () => {
  const problems = pages.flatMap(page =>
    linksOf(readFileSync(join(root, page), 'utf8'))
      .filter(link => !leadsSomewhere(page, link))
      .map(link => `${page}: ${link}`),
  )
  expect(problems).toEqual([])
})

/** What a page links to, but for other sites. */
function linksOf(text: string): string[] {
  const withoutCode = text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '')
  return Array.from(withoutCode.matchAll(/\]\(([^)\s]+)\)/g), ({ 1: link = '' }) => link).filter(
    link => !/^[a-z]+:/.test(link),
  )
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const target = path === '' ? join(root, page) : join(root, dirname(page), path)
  if (!existsSync(target)) return false
  return heading === undefined || headingsOf(readFileSync(target, 'utf8')).includes(heading)
}

/** The headings of a page, as links name them. */
function headingsOf(text: string): string[] {
  return Array.from(text.replace(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm), ({ 1: heading = '' }) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  )
}
