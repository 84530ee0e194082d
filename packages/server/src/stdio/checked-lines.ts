// The SDK's transport passes over a line that is no message. JSON-RPC has an answer for every one that is not a notification or a
// response, and a client waits for it: so lines are looked at before the transport has them.
//
// Threat: a line without an end. So much of one is kept; then the transport has what there is, and ends the connection.
import { once } from 'node:events'
import { type Readable, Transform, type TransformCallback, type Writable } from 'node:stream'
import { isRecord } from '@beckon/core/json-rpc'
import { isId, isRpcError, isRpcNotification, isRpcRequest, isRpcResult } from '../protocol/messages.js'
import type { WireError } from '../protocol/wire-error.js'

/** Above what the SDK's transport takes. */
const maxLineBytes = 11 * 1024 * 1024
const newline = 10

/** The lines of an input that are messages; the others are answered on the output. */
export function checkedLines(input: Readable, output: Writable): Readable {
  const lines = new CheckedLines(output)
  input.on('error', error => lines.destroy(error))
  input.once('close', () => lines.end())
  if (input.readableEnded || input.destroyed) lines.end()
  // Where nobody reads any more, what is behind it is not read either, so that the process can end.
  lines.once('pause', () => input.unpipe(lines).pause())
  return input.pipe(lines)
}

class CheckedLines extends Transform {
  readonly #output: Writable
  #parts: Buffer[] = []
  #length = 0

  constructor(output: Writable) {
    super()
    this.#output = output
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#read(chunk).then(() => done(), done)
  }

  async #read(chunk: Buffer): Promise<void> {
    let rest = chunk
    for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
      this.#keep(rest.subarray(0, end + 1))
      rest = rest.subarray(end + 1)
      await this.#check(this.#take())
    }
    this.#keep(rest)
    if (this.#length > maxLineBytes) this.push(this.#take())
  }

  async #check(line: Buffer): Promise<void> {
    const error = refusalOf(line.toString().trim())
    if (error === undefined) this.push(line)
    else if (error !== 'silent' && !this.#output.write(`${JSON.stringify(error)}\n`)) await once(this.#output, 'drain')
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return
    this.#parts.push(part)
    this.#length += part.length
  }

  #take(): Buffer {
    const [first, ...more] = this.#parts
    const taken = first !== undefined && more.length === 0 ? first : Buffer.concat(this.#parts)
    this.#parts = []
    this.#length = 0
    return taken
  }
}

/** What a line is answered with that is no message; undefined for one that is. */
function refusalOf(line: string): object | 'silent' | undefined {
  if (line === '') return 'silent'
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return refused({ code: -32700, message: 'Parse error: the line is not JSON' })
  }
  if (isRpcRequest(message) || isRpcNotification(message) || isRpcResult(message) || isRpcError(message))
    return undefined
  if (isRecord(message) && isUnanswered(message)) return 'silent'
  return refused({ code: -32600, message: 'Invalid Request: the line is not a JSON-RPC message' }, message)
}

/** Notifications and responses have no answer, whatever is wrong with them. */
function isUnanswered(message: Record<string, unknown>): boolean {
  return 'method' in message ? !('id' in message) : 'result' in message || 'error' in message
}

/** As the protocol has it, without an id where none could be read. */
function refused(error: WireError, message?: unknown): object {
  const id = isRecord(message) && isId(message.id) ? { id: message.id } : {}
  return { jsonrpc: '2.0', ...id, error }
}
