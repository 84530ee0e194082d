// What each package exports, with its types, as packages/<name>/api.md: so that a change of the public surface shows in its diff.
// `node scripts/api-report.mjs` writes the reports from what is built; with `--check` it says which are not as they would be written.

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { root } from './run.mjs'

const isCheck = process.argv.includes('--check')
const packages = await readdir(join(root, 'packages'))
let count = 0
for (const name of packages) {
  const folder = join(root, 'packages', name)
  const { report, names } = await reportOf(folder)
  const file = join(folder, 'api.md')
  if (!isCheck) await writeFile(file, report)
  else if ((await readFile(file, 'utf8').catch(() => '')) !== report) {
    console.error(
      `${relative(root, file)} is not what the package exports. If that is meant: npm run build && npm run api`,
    )
    process.exitCode = 1
  }
  count += names
}
console.log(`${count} exported names`)

/** @param {string} folder */
async function reportOf(folder) {
  const { name, exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  /** @type {[entry: string, file: string][]} */
  const entries = Object.entries(exports)
    .filter(([, { types } = {}]) => types !== undefined)
    .map(([entry, { types }]) => [`${name}${entry.slice(1)}`, join(folder, types)])
  const program = ts.createProgram(
    entries.map(([, file]) => file),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
    },
  )
  const checker = program.getTypeChecker()
  let names = 0
  const sections = entries.map(([entry, file]) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    const symbols = module ? checker.getExportsOfModule(module) : []
    names += symbols.length
    const texts = symbols.map(symbol => describe(symbol, checker)).sort()
    return `## \`${entry}\`\n\n\`\`\`ts\n${texts.join('\n')}\n\`\`\`\n`
  })
  const head = `# What \`${name}\` exports\n\nWritten by \`npm run api\`; a change of it is a change for those who use the package.\n`
  return { report: [head, ...sections].join('\n'), names }
}

/**
 * @param {ts.Symbol} symbol
 * @param {ts.TypeChecker} checker
 */
function describe(symbol, checker) {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const printer = ts.createPrinter({ removeComments: true })
  const texts = (target.declarations ?? []).map(declaration => {
    const source = declaration.getSourceFile()
    if (source.fileName.includes('/node_modules/') && !source.fileName.includes('/packages/'))
      return `// ${symbol.name}: of another package`
    const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
    return printer.printNode(ts.EmitHint.Unspecified, statement, source).replace(/^export (default )?/, '')
  })
  const renamed = target.name === symbol.name ? '' : ` // as ${symbol.name}`
  return `${texts.join('\n')}${renamed}`
}
