// A client of 2026-07-28 that sends and shows messages as they are, without an SDK in between.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export type Json = Record<string, unknown>

export interface RawClient {
  /** Gives back `result` or `error` as it came. */
  request(method: string, params?: Json): Promise<Json>
  /** Everything that the process behind it wrote to standard error, once it matches. */
  written(pattern: RegExp): Promise<RegExpExecArray>
  close(): void
}

const version = '2026-07-28'

function message(id: number, method: string, params: Json, capabilities: Json): Json {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'raw-client', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta } }
}

export function rawHttp(url: string, capabilities: Json, written: RawClient['written']): RawClient {
  let id = 0
  return {
    async request(method, params = {}) {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version,
        'mcp-method': method,
        ...(typeof (params.name ?? params.taskId) === 'string' && { 'mcp-name': String(params.name ?? params.taskId) }),
      }
      const body = JSON.stringify(message(++id, method, params, capabilities))
      const text = await (await fetch(url, { method: 'POST', headers, body })).text()
      const replies = text.startsWith('{')
        ? [text]
        : text.split('\n').flatMap(line => line.match(/^data: ?(\{.*)$/)?.[1] ?? [])
      const reply = replies.map(line => JSON.parse(line) as Json).find(one => 'result' in one || 'error' in one)
      if (reply === undefined) throw new Error(`There is no reply in ${JSON.stringify(text)}`)
      return (reply.result ?? reply.error) as Json
    },
    written,
    close() {},
  }
}

export function rawStdio([program = '', ...args]: readonly string[], capabilities: Json): RawClient {
  const child = spawn(program, args, { env: { ...process.env, BECKON_BROWSER: 'none' } })
  const waiting = new Map<unknown, (reply: Json) => void>()
  createInterface(child.stdout).on('line', line => {
    const reply = JSON.parse(line) as Json
    if ('method' in reply) return
    waiting.get(reply.id)?.((reply.result ?? reply.error) as Json)
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    said += part
  })
  let id = 0
  return {
    request(method, params = {}) {
      const sent = message(++id, method, params, capabilities)
      child.stdin.write(`${JSON.stringify(sent)}\n`)
      return new Promise(resolve => waiting.set(sent.id, resolve))
    },
    written: pattern =>
      new Promise(resolve => {
        const look = () => {
          const found = pattern.exec(said)
          if (found === null) return
          child.stderr.off('data', look)
          resolve(found)
        }
        child.stderr.on('data', look)
        look()
      }),
    close() {
      child.stdin.end()
      child.kill()
    },
  }
}
