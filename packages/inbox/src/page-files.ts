import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

/** One file of the inbox's page, ready to be sent. */
export interface PageFile {
  /** Of `Content-Type`. */
  readonly type: string
  readonly body: Buffer
  readonly brotli: Buffer
  readonly etag: string
  /** Whether its name changes with what is in it. */
  readonly isImmutable: boolean
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

// The same place seen from the sources and from what they are compiled to.
const folder = new URL('../dist/page/', import.meta.url)
let reading: Promise<ReadonlyMap<string, PageFile>> | undefined

/**
 * The built page, by the path that each file has on the web; empty when it is not built. It is read once.
 * @example
 * const file = (await readPageFiles()).get('/')
 */
export async function readPageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  reading ??= readAll()
  const files = await reading
  if (files.size === 0) reading = undefined
  return files
}

async function readAll(): Promise<ReadonlyMap<string, PageFile>> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const files = new Map<string, PageFile>()
  for (const name of names) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const body = await readFile(new URL(name.replaceAll('\\', '/'), folder))
    const path = name === 'index.html' ? '/' : `/${name.replaceAll('\\', '/')}`
    files.set(path, {
      type,
      body,
      brotli: brotliCompressSync(body),
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      isImmutable: path.startsWith('/assets/'),
    })
  }
  return files
}
