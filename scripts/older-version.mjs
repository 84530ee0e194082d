// An older version of the project, built beside this one, for runs of both on one store.
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './run.mjs'

/** What the processes under test import. */
const packages = ['sqlite', 'postgres', 'redis']
const ours = new Set(['beckon', '@beckon', '.package-lock.json', '.vite', '.cache'])

/**
 * @param {string} version as git knows it: a tag, a branch, a commit
 * @returns {Promise<{ folder: string, remove: () => Promise<void> }>}
 */
export async function buildOlderVersion(version) {
  const folder = await mkdtemp(join(tmpdir(), 'beckon-older-'))
  const remove = () => rm(folder, { recursive: true })
  try {
    const { stdout } = run('git', [
      'archive',
      '--format=tar',
      version,
      'packages',
      'faults',
      'scripts',
      'tsconfig.base.json',
      'package.json',
    ])
    run('tar', ['-x', '-C', folder], stdout)
    await linkModules(folder)
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    run(process.execPath, [tsc, '-b', ...packages.map(name => join(folder, 'packages', name))])
    return { folder, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/**
 * What is installed here serves it too; our own packages are its own.
 * @param {string} folder
 */
async function linkModules(folder) {
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@beckon'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules')))
    if (!ours.has(name)) await symlink(join(root, 'node_modules', name), join(modules, name))
  for (const name of await readdir(join(folder, 'packages')))
    await symlink(
      join(folder, 'packages', name),
      name === 'server' ? join(modules, 'beckon') : join(modules, '@beckon', name),
    )
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {Buffer} [input]
 */
function run(command, args, input) {
  const result = spawnSync(command, args, { cwd: root, maxBuffer: 1024 ** 3, ...(input && { input }) })
  if (result.status === 0) return result
  throw new Error(`${command} ${args.join(' ')} failed: ${result.error ?? ''}${result.stderr}${result.stdout}`)
}
