// Packs every package as npm would publish it, installs all of them in an empty folder, imports every entry, and runs a story there.

import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capture, root } from '../run.mjs'

const needsVitest = 'beckon/test/vitest'

const folder = await mkdtemp(join(tmpdir(), 'beckon-packed-'))
try {
  const manifests = await publishedManifests()
  await done('npm', ['pack', ...manifests.map(({ path }) => `./${path}`), '--pack-destination', folder])
  /** @type {Record<string, string>} */
  const dependencies = {}
  for (const { name, version } of manifests)
    dependencies[name] = `file:${name.replace('@', '').replace('/', '-')}-${version}.tgz`
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }))
  await done('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'])

  const entries = manifests
    .flatMap(({ name, exports }) => Object.keys(exports).map(entry => `${name}${entry.slice(1)}`))
    .filter(entry => entry !== needsVitest && !entry.endsWith('.json'))
  const imports = entries.map(entry => `await import(${JSON.stringify(entry)})`).join('\n')
  await writeFile(join(folder, 'imports.mjs'), `${imports}\nprocess.exit()\n`)
  await cp(join(root, 'scripts/packed/story.mjs'), join(folder, 'story.mjs'))
  for (const file of ['imports.mjs', 'story.mjs']) await done(process.execPath, [join(folder, file)])
  await done(join(folder, 'node_modules/.bin/beckon'), ['--version'])
  console.log(`${manifests.length} packages with ${entries.length} entries`)
} finally {
  await rm(folder, { recursive: true })
}

async function publishedManifests() {
  const paths = (await readdir(join(root, 'packages'))).map(name => `packages/${name}`)
  const manifests = await Promise.all(
    paths.map(async path => ({ ...JSON.parse(await readFile(join(root, path, 'package.json'), 'utf8')), path })),
  )
  return manifests.filter(({ private: isPrivate }) => !isPrivate)
}

/**
 * @param {string} command
 * @param {string[]} args
 */
async function done(command, args) {
  const { code, output } = await capture(command, args)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`)
}
