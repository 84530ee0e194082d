// `npm run docs`: makes the site in site/dist, from docs/, the pages of the project and the reference that the sources give. A link that
// leads nowhere, and a diagram that cannot be drawn, end it.

import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { root, show } from './run.mjs'

const pages = join(root, 'site/.pages')
const own = {
  'ARCHITECTURE.md': 'architecture.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'reporting.md',
}

if (!(await ensureInstalled()) || !(await ensureInstalled('site')) || !(await ensureBuilt())) process.exit(1)
await rm(pages, { recursive: true, force: true })
await cp(join(root, 'docs'), pages, { recursive: true, filter: path => !path.endsWith('.d.ts') })
await cp(join(root, 'site/index.md'), join(pages, 'index.md'))
for (const [from, to] of Object.entries(own)) await cp(join(root, from), join(pages, to))
for (const name of (await readdir(pages)).filter(name => name.endsWith('.md'))) {
  const file = join(pages, name)
  await writeFile(file, withinSite(await readFile(file, 'utf8')))
}
await reference()
process.exitCode = await show('node', ['site/node_modules/vitepress/bin/vitepress.js', 'build', 'site'])

/**
 * Pages of the project are beside the others here, and what is no page stays in the repository, where only its name leads to.
 * @param {string} text
 */
function withinSite(text) {
  return text.replace(/\[([^\]]+)\]\(([^)#]+)(#[^)]*)?\)/g, (link, words, path, part = '') => {
    if (/^https?:/.test(path)) return link
    const name = path.replace(/^(\.\.?\/)+/, '').replace(/^docs\//, '')
    if (Object.hasOwn(own, name)) return `[${words}](${own[/** @type {keyof typeof own} */ (name)]}${part})`
    return /^(packages|examples|bench|faults|fuzz|conformance|test|\.changeset|CHANGELOG)/.test(name)
      ? `${words} (\`${name}\`)`
      : `[${words}](${name}${part})`
  })
}

/** What typedoc reads off what is built, a folder for each package. */
async function reference() {
  const names = (await readdir(join(root, 'packages'))).filter(name => name !== 'cli')
  /** @type {string[]} */
  const rows = []
  for (const name of names) {
    const {
      name: full,
      description,
      exports,
    } = JSON.parse(await readFile(join(root, 'packages', name, 'package.json'), 'utf8'))
    const folder = name === 'server' ? 'beckon' : name
    const entries = Object.values(exports).flatMap(entry =>
      typeof entry?.['@beckon/source'] === 'string' ? [join('packages', name, entry['@beckon/source'])] : [],
    )
    rows.push(`| [\`${full}\`](${folder}/) | ${description} |`)
    const out = join(pages, 'reference', folder)
    await mkdir(out, { recursive: true })
    const options = [
      '--readme',
      'none',
      '--name',
      full,
      '--disableSources',
      '--hideBreadcrumbs',
      '--entryFileName',
      'index',
      '--logLevel',
      'Error',
    ]
    const code = await show('node', [
      'site/node_modules/typedoc/bin/typedoc',
      ...['--plugin', join(root, 'site/node_modules/typedoc-plugin-markdown/dist/index.js')],
      ...['--tsconfig', `packages/${name}/tsconfig.json`, '--skipErrorChecking', '--out', out],
      ...options,
      ...entries,
    ])
    if (code !== 0) process.exit(1)
  }
  await writeFile(join(pages, 'reference/index.md'), `# Reference\n\n| package | |\n|---|---|\n${rows.join('\n')}\n`)
}
