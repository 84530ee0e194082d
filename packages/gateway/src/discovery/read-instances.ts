// Threat: another user of this machine, or a link that leads elsewhere, puts a manifest where we look. Only regular files
// of our own user count. Not defended: a process of the same user, which could do anything we can.
import { constants, type FileHandle, open, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive } from './is-alive.js'
import { type Manifest, readManifest } from './manifest.js'

const maxManifestBytes = 64 * 1024
const maxManifests = 1_000

export interface FoundInstances {
  readonly manifests: readonly Manifest[]
  /** Why a file does not count, by its name. */
  readonly refused: ReadonlyMap<string, string>
}

/** Reads every manifest of a folder, and removes those of processes that are no more. A folder that is not there is empty. */
export async function readInstances(folder: string): Promise<FoundInstances> {
  const names = await readdir(folder).catch(() => [])
  const manifests = new Map<string, Manifest>()
  const refused = new Map<string, string>()
  for (const name of names.filter(each => each.endsWith('.json')).slice(0, maxManifests)) {
    const path = join(folder, name)
    try {
      const manifest = readManifest(await readOwn(path))
      if (isAlive(manifest.pid)) manifests.set(manifest.instanceId, manifest)
      else await unlink(path)
    } catch (error) {
      // One that is gone since the folder was read is not worth a word.
      if (!isMissing(error)) refused.set(name, error instanceof Error ? error.message : String(error))
    }
  }
  return { manifests: [...manifests.values()], refused }
}

async function readOwn(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    return await readChecked(file)
  } finally {
    await file.close()
  }
}

async function readChecked(file: FileHandle): Promise<string> {
  const stat = await file.stat()
  if (!stat.isFile()) throw new Error('it is not a regular file')
  if (process.getuid !== undefined && stat.uid !== process.getuid()) throw new Error('it belongs to another user')
  if (stat.size > maxManifestBytes) throw new Error(`it has ${stat.size} bytes, and ${maxManifestBytes} are enough`)
  const buffer = Buffer.alloc(maxManifestBytes)
  const { bytesRead } = await file.read(buffer, 0, maxManifestBytes, 0)
  return buffer.toString('utf8', 0, bytesRead)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
