// docs/keys.md from beginning to end: keys are rotated, one leaks, what it sealed is sealed again, and it is dropped.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStore } from '@beckon/sqlite'
import { type BeckonServer, createServer } from 'beckon'
import { receipts, verifyReceipt } from 'beckon/receipts'
import { type Key, memoryStore, resealStore, type Store, sealedStore } from 'beckon/store'
import { Cell } from 'beckon/store/handles'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { storeAction } from '../packages/cli/src/admin/store-actions.js'
import { createSeal } from '../packages/server/src/crypto/seal.js'

const first = 'the first key which leaks in the end'
const second = 'the second key which nobody else has'
const prefix = 'io.modelcontextprotocol/'

afterEach(() => {
  vi.unstubAllEnvs()
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-keys-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A node of a server that remembers something of Ada, and signs what she answers. */
function node(store: Store, keys: Key | readonly Key[] | undefined): BeckonServer {
  const identify = () => 'ada'
  const options = { name: 'shop', version: '1.0.0', store, keys, identify, person: 'unchecked', receipts: receipts() }
  const server = createServer(options as Parameters<typeof createServer>[0])
  onTestFinished(() => server.close())
  server.tool('pay', {}, async (_input, ctx) => {
    const { action, receipt } = await ctx.confirm.outcome('Pay?')
    await ctx.userStore.set('last', action)
    return receipt ?? 'no receipt'
  })
  server.tool('last', {}, async (_input, ctx) => String(await ctx.userStore.get('last')))
  return server
}

/** What a client of 2026-07-28 is answered. */
async function call(server: BeckonServer, params: Record<string, unknown>): Promise<Record<string, unknown>> {
  const _meta = {
    [`${prefix}protocolVersion`]: '2026-07-28',
    [`${prefix}clientCapabilities`]: { elicitation: { form: {} } },
  }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': String(params.name),
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { arguments: {}, ...params, _meta } }
  const request = new Request('http://localhost/mcp', { method: 'POST', headers, body: JSON.stringify(message) })
  const { result, error } = (await (await server.fetch(request)).json()) as Record<string, Record<string, unknown>>
  return result ?? { error }
}

/** What Ada's client sends to say yes. */
async function asked(server: BeckonServer): Promise<Record<string, unknown>> {
  const { requestState, inputRequests } = await call(server, { name: 'pay' })
  const [id = ''] = Object.keys(inputRequests as object)
  return { name: 'pay', requestState, inputResponses: { [id]: { action: 'accept', content: {} } } }
}

const textOf = ({ content }: Record<string, unknown>) => (content as { text: string }[])[0]?.text ?? ''

/** Everything that is kept, as whoever copies the store has it. */
async function valuesIn(store: Store): Promise<unknown[]> {
  const values: unknown[] = []
  await store.rewrite?.(value => void values.push(value))
  return values
}

/** Of what is kept, as much as a key of somebody else's opens. */
async function openedBy(key: Key, store: Store): Promise<unknown[]> {
  const seal = createSeal([key], 'store')
  return (await valuesIn(store)).flatMap(value => {
    try {
      return [seal.open(String(value))]
    } catch {
      return []
    }
  })
}

describe('keys that are given', () => {
  it('are rotated, and one that leaked is dropped once what it sealed is sealed again', async () => {
    const store = sqliteStore(join(temporaryFolder(), 'beckon.db'))
    onTestFinished(() => store.close())
    const before = node(store, first)
    const receipt = textOf(await call(before, await asked(before)))
    const old = await asked(before)
    const late = await asked(before)
    expect((await openedBy(first, store)).length).toBeGreaterThan(3)

    const rotated = node(store, [second, first])
    expect(textOf(await call(rotated, old))).toMatch(/^ey/)
    expect(textOf(await call(rotated, { name: 'last' }))).toBe('accept')

    const { values, foreign } = await resealStore(store, { keys: [second, first] })
    expect(values).toBeGreaterThan(3)
    expect(foreign).toBe(0)
    expect(await openedBy(first, store)).toEqual([])
    expect(await resealStore(store, { keys: [second, first] })).toEqual({ values: 0, foreign: 0 })

    const after = node(store, second)
    expect(textOf(await call(after, { name: 'last' }))).toBe('accept')
    expect(await call(after, late)).toMatchObject({ error: { code: -32602 } })
    expect(textOf(await call(after, await asked(after)))).toMatch(/^ey/)
    expect(await verifyReceipt(receipt, await after.receiptKeys())).toMatchObject({ isValid: true })
  })

  it('leave what others sealed in the same store as it was', async () => {
    const store = memoryStore()
    await sealedStore(store, 'a key of somebody else').set('theirs', 1)
    await sealedStore(store, first).set('ours', 2)
    expect(await resealStore(store, { keys: [second, first] })).toEqual({ values: 1, foreign: 1 })
    expect((await sealedStore(store, 'a key of somebody else').get('theirs'))?.value).toBe(1)
    expect((await sealedStore(store, second).get('ours'))?.value).toBe(2)
  })
})

describe('keys that the store keeps', () => {
  it('are replaced by beckon admin store reseal, after BECKON_KEY has leaked', async () => {
    const folder = temporaryFolder()
    const [path, config] = [join(folder, 'beckon.db'), join(folder, 'beckon.json')]
    const oidc = { issuer: 'https://id.example', clientId: 'desk' }
    writeFileSync(config, JSON.stringify({ publicUrl: 'https://desk.example', store: path, oidc }))
    const open = () => {
      const store = sqliteStore(path)
      onTestFinished(() => store.close())
      return store
    }
    vi.stubEnv('BECKON_KEY', first)
    const before = node(open(), undefined)
    const receipt = textOf(await call(before, await asked(before)))
    await before.close()
    const ring = async () => String(await new Cell(open(), 'keys').get())
    const leaked = createSeal([first], 'key ring').open(await ring()) as { secret: string }[]
    expect((await openedBy(leaked[0]?.secret ?? '', open())).length).toBeGreaterThan(3)

    vi.stubEnv('BECKON_KEY', `${second},${first}`)
    expect(await storeAction('reseal', config)).toMatch(
      /: \d+ values are sealed by a new key, and the keys from before/,
    )

    vi.stubEnv('BECKON_KEY', second)
    const after = node(open(), undefined)
    expect(textOf(await call(after, { name: 'last' }))).toBe('accept')
    expect(textOf(await call(after, await asked(after)))).toMatch(/^ey/)
    expect(await verifyReceipt(receipt, await after.receiptKeys())).toMatchObject({ isValid: true })
    for (const { secret } of leaked) expect(await openedBy(secret, open())).toEqual([])
    const now = await ring()
    expect(() => createSeal([first], 'key ring').open(now)).toThrow()
  })
})
