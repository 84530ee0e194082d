// A call that outlives two processes: each is killed while a person thinks, and the next one goes on.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

interface Reply {
  inputRequests?: Record<string, { params: { message: string } }>
  requestState?: string
  content?: { text: string }[]
}

const folder = await mkdtemp(join(tmpdir(), 'beckon-crash-'))
const effects = join(folder, 'effects.txt')
const key = randomBytes(32).toString('base64')
let running: ChildProcess | undefined

try {
  const first = await call(await start(), {})
  assert.equal(questionOf(first), 'How much to Ada?')
  await kill()

  const second = await call(await start(), answer(first, { action: 'accept', content: { value: 50 } }))
  assert.equal(questionOf(second), 'Transfer 50 to Ada?')
  await kill()

  const agreed = answer(second, { action: 'accept' })
  const url = await start()
  const last = await call(url, agreed)
  assert.equal(last.content?.[0]?.text, 'Transferred 50 to Ada.')
  // A client that did not get the reply sends the same again.
  assert.deepEqual((await call(url, agreed)).content, last.content)

  assert.equal(await readFile(effects, 'utf8'), 'reserved 50\ntransferred 50 under true\n')
  console.log('survives-a-crash: ok')
} finally {
  await kill()
  await rm(folder, { recursive: true })
}

/** Starts a new process of the server, and gives its address. */
async function start(): Promise<string> {
  const script = fileURLToPath(new URL('server.js', import.meta.url))
  const env = { ...process.env, BECKON_KEY: key, EFFECTS: effects }
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  running = child
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error('The server did not start.')
}

async function kill(): Promise<void> {
  if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
  running.kill('SIGKILL')
  await once(running, 'exit')
}

/** One request, as a client of 2026-07-28 sends it. */
async function call(url: string, round: object): Promise<Reply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'transfer',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'transfer',
        arguments: { to: 'Ada' },
        ...round,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'crash', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
        },
      },
    }),
  })
  const message = (await response.json()) as { result?: Reply; error?: unknown }
  assert.ok(message.result, JSON.stringify(message.error))
  return message.result
}

function questionOf({ inputRequests = {} }: Reply): string | undefined {
  return Object.values(inputRequests)[0]?.params.message
}

function answer({ inputRequests = {}, requestState }: Reply, outcome: object): object {
  return { requestState, inputResponses: Object.fromEntries(Object.keys(inputRequests).map(id => [id, outcome])) }
}
