import { readdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The parsed sources of a package, without its tests; a file's name is its path from the workspace's folder. */
export function sourcesOf(packageName: string): ts.SourceFile[] {
  const folder = `${root}packages/${packageName}/src`
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(entry.name))
    .map(entry => `${entry.parentPath}/${entry.name}`)
    .map(path => parse(readFileSync(path, 'utf8'), relative(root, path)))
}

/** Parses one source, with the parents of its nodes known. */
export function parse(text: string, path = 'snippet.ts'): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
}

/** What a source imports or re-exports, by specifier; `import()` is among them. */
export function importsOf(source: ts.SourceFile): string[] {
  return ts.preProcessFile(source.text).importedFiles.map(({ fileName }) => fileName)
}
