// Threat: a file that ends up where nobody put it, or is run or served from there. A file has a name of ours, none of the
// person's, no extension, and only this user may read it. What a process did not finish has another name until it is whole.
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FilePlace } from './place.js'

/** An upload that nothing was added to for so long is one of a process that died. */
const abandonedMs = 24 * 60 * 60 * 1000
const part = '.part'

/** A folder on this machine, made when it is needed. */
export function folder(path: string): FilePlace {
  let ready: Promise<void> | undefined
  return {
    async put(id, bytes) {
      ready ??= prepare(path)
      await ready
      const unfinished = join(path, `${checked(id)}${part}`)
      try {
        const file = await open(unfinished, 'wx', 0o600)
        try {
          // All of it: `write` alone leaves out what a disk has no room for, and says how much.
          for await (const chunk of bytes) await file.appendFile(chunk)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(unfinished, join(path, id))
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    get: id => createReadStream(join(path, checked(id))),
    delete: id => rm(join(path, checked(id)), { force: true }),
  }
}

async function prepare(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  for (const name of await readdir(path)) {
    if (!name.endsWith(part)) continue
    const unfinished = join(path, name)
    const { mtimeMs } = await stat(unfinished)
    if (Date.now() - mtimeMs > abandonedMs) await rm(unfinished, { force: true })
  }
}

function checked(id: string): string {
  if (!/^[\w-]{1,100}$/.test(id)) throw new TypeError('This is not the name of a file that was uploaded.')
  return id
}
