// Threats: an upload that is larger than it may be, or says that it is smaller; that is something else than it says; or that
// never ends. It is counted as it comes and never held: what is too much is cut off, and nothing of it is kept.
import { createHash } from 'node:crypto'
import type { FileSchema } from '../author/file-schema.js'
import type { Clock } from '../runtime/clock.js'
import { contentType, isTaken, sniffedBytes } from './content-type.js'
import type { FilePlace } from './place.js'

/** What is known of a file that was received. */
export interface Received {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly size: number
  readonly digest: string
}

/** Why a file is not taken: for the person, with a status. */
export class UploadRefusedError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface ReceiveOptions {
  readonly id: string
  readonly name: string
  readonly schema: FileSchema
  readonly place: FilePlace
  readonly clock: Pick<Clock, 'after'>
  /** So long nothing may come. */
  readonly stallMs: number
}

/** Streams an upload to its place. */
export async function receive(
  body: ReadableStream<Uint8Array>,
  { id, name, schema, place, clock, stallMs }: ReceiveOptions,
): Promise<Received> {
  const hash = createHash('sha256')
  let size = 0
  let type = ''

  async function* checked(): AsyncGenerator<Uint8Array> {
    const reader = body.getReader()
    const start: Uint8Array[] = []
    try {
      for (;;) {
        const { done, value } = await withinTime(reader, { clock, stallMs })
        const chunk = value ?? new Uint8Array()
        size += chunk.length
        if (size > schema.maxBytes) throw new UploadRefusedError(413, tooLarge(schema.maxBytes))
        hash.update(chunk)
        if (type !== '') {
          if (!done) yield chunk
        } else {
          start.push(chunk)
          if (size >= sniffedBytes || done) {
            type = contentType(Buffer.concat(start).subarray(0, sniffedBytes), name)
            if (!isTaken(type, schema.types)) throw new UploadRefusedError(415, wrongType(type, schema.types))
            yield* start
          }
        }
        if (done) break
      }
      if (size === 0) throw new UploadRefusedError(422, 'The file is empty.')
    } finally {
      // What was not read is not wanted: the browser need not send it.
      await reader.cancel().catch(() => {})
    }
  }

  await place.put(id, checked())
  return { id, name, type, size, digest: hash.digest('base64url') }
}

function withinTime(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { clock, stallMs }: Pick<ReceiveOptions, 'clock' | 'stallMs'>,
): ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(stallMs, () => reject(new UploadRefusedError(408, 'The upload stopped. Try again.')))
    reader.read().then(resolve, reject).finally(stop)
  })
}

export function tooLarge(maxBytes: number): string {
  return `The file is too large: at most ${inWords(maxBytes)} are taken.`
}

function wrongType(type: string, types: readonly string[]): string {
  return `This is ${type}, by its content. What is taken is ${types.join(', ')}.`
}

/** A number of bytes for a person. */
export function inWords(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB'] as const
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${Math.round((bytes / 1024 ** power) * 10) / 10} ${units[power]}`
}
