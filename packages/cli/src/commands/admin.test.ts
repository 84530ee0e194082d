import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bearerAccess, createDesk, type Desk } from '@beckon/desk'
import { sqliteStore } from '@beckon/sqlite'
import { sealedStore } from 'beckon/store'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { run } from '../run.js'

const folder = mkdtempSync(join(tmpdir(), 'beckon-admin-'))
const tokenFile = join(folder, 'token')
writeFileSync(tokenFile, 'token-of-the-admin\n')

let desk: Desk
let url = ''
beforeAll(async () => {
  desk = createDesk({
    access: bearerAccess({
      tokens: {
        'token-of-the-admin': { principal: 'ops', role: 'admin' },
        'token-of-an-auditor': { principal: 'iris', role: 'auditor' },
      },
    }),
    servers: { given: 'a-token-that-was-given' },
  })
  ;({ url } = await desk.listen())
})
afterAll(async () => {
  await desk.close()
  rmSync(folder, { recursive: true })
})

const said = { out: [] as string[], error: [] as string[] }
beforeEach(() => {
  said.out = []
  said.error = []
  // A configuration's key becomes the environment's: what was there is put back.
  vi.stubEnv('BECKON_KEY', undefined)
  vi.spyOn(console, 'log').mockImplementation(line => void said.out.push(String(line)))
  vi.spyOn(console, 'error').mockImplementation(line => void said.error.push(String(line)))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const admin = (...words: string[]) => run(['admin', ...words, '--desk', url, '--token-file', tokenFile])

const openAsk = (token: string, more: object = {}) =>
  fetch(new URL('/api/asks', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: '1', message: 'Order?\u001b[2J', ...more }),
  })

describe('an admin', () => {
  it('is told that no asks are open', async () => {
    expect(await admin('asks', 'list')).toBe(0)
    expect([said.out, said.error]).toEqual([[], ['No open asks.']])
  })

  it('makes, replaces and takes back the token of a server, of which the token alone is on standard output', async () => {
    expect(await admin('tokens', 'create', 'shop')).toBe(0)
    const [first = '', more] = said.out.splice(0)
    expect([first, more]).toEqual([expect.stringMatching(/^bks_/), undefined])
    expect((await openAsk(first)).status).toBe(201)
    expect(await admin('tokens', 'create', 'shop')).toBe(1)
    expect(await admin('tokens', 'rotate', 'shop', '--grace', '0')).toBe(0)
    const [second = ''] = said.out.splice(0)
    expect([(await openAsk(first)).status, (await openAsk(second)).status]).toEqual([401, 201])
    expect(await admin('tokens', 'list', '--json')).toBe(0)
    expect(said.out.splice(0).map(line => JSON.parse(line))).toMatchObject([{ server: 'shop' }])
    expect(await admin('tokens', 'revoke', 'shop')).toBe(0)
    expect((await openAsk(second)).status).toBe(401)
  })

  it.each([
    ['people', 'passkeys', '..'],
    ['people', 'sign-out', 'ada', '.'],
    ['person', 'erase', '', '--yes'],
  ])('asks for nothing else where a name would lead elsewhere: %s %s %j', async (...words) => {
    expect(await admin(...words)).toBe(2)
    expect(said.out).toEqual([])
    expect(said.error.join('\n')).toContain('no address can have')
  })

  it('is told that there may be none of a name, or that the token is that of a server', async () => {
    expect(await admin('tokens', 'revoke', 'nosuch')).toBe(1)
    expect(said.error.join()).toContain('Either there is none of that name, or the token is that of a server')
    const serverToken = join(folder, 'token-of-a-server')
    writeFileSync(serverToken, 'a-token-that-was-given')
    said.error = []
    expect(await run(['admin', 'tokens', 'list', '--desk', url, '--token-file', serverToken])).toBe(1)
    expect(said.error.join()).toContain('an admin\'s is that of a program with the role "admin"')
  })

  it('lists open asks, whose words command no terminal, and withdraws one', async () => {
    await openAsk('a-token-that-was-given')
    await openAsk('a-token-that-was-given', { id: '2', audience: { principals: ['ada'] } })
    expect(await admin('asks', 'list')).toBe(0)
    expect(said.out.join('\n')).toMatch(/id: given\.2\.2, server: given, to: {"principals":\["ada"\]}/)
    const line = said.out.find(each => each.includes('call-given.1')) ?? ''
    expect(line).toMatch(/session: call-given\.1, id: given\.1\.1, server: given/)
    expect(line).not.toContain('\u001b')
    expect(await admin('asks', 'withdraw', 'call-given.1', 'given.1.1')).toBe(0)
    expect(await admin('asks', 'withdraw', 'call-given.1', 'given.1.1')).toBe(1)
  })

  it('keeps and removes rules', async () => {
    const file = join(folder, 'rule.json')
    writeFileSync(file, JSON.stringify({ id: 'no-orders', effect: 'deny', match: { tool: 'order' } }))
    expect(await admin('rules', 'add', file)).toBe(0)
    expect(await admin('rules', 'list')).toBe(0)
    expect(said.out.join('\n')).toContain('no-orders')
    expect(await admin('rules', 'remove', 'no-orders')).toBe(0)
    expect(await admin('rules', 'remove', 'no-orders')).toBe(1)
    expect(await admin('rules', 'add', join(folder, 'absent.json'))).toBe(2)
  })

  it('looks after people: who was here, and what is kept of them', async () => {
    expect(await admin('people', 'list')).toBe(0)
    expect(await admin('people', 'sessions', 'ada')).toBe(0)
    expect(said.error.at(-1)).toContain('ada is signed in nowhere.')
    expect(await admin('people', 'sign-out', 'ada')).toBe(0)
    expect(said.out.at(-1)).toBe('ended: 0')
    expect(await admin('person', 'export', 'https://id.example#ada/b')).toBe(0)
    expect(JSON.parse(said.out.at(-1) ?? '')).toMatchObject({ principal: 'https://id.example#ada/b', kept: {} })
    expect(await admin('person', 'erase', 'ada')).toBe(2)
    expect(said.error.at(-1)).toContain('--yes')
    expect(await admin('person', 'erase', 'ada', '--yes')).toBe(0)
  })

  it('exports the audit, with all of this in it, and has it checked', async () => {
    expect(await admin('audit', 'export')).toBe(0)
    const events = said.out.splice(0).map(line => JSON.parse(line).event)
    expect(events).toEqual(expect.arrayContaining(['token-created', 'withdrawn', 'rule-removed', 'person-erased']))
    expect(await admin('audit', 'verify')).toBe(0)
    expect(JSON.parse(said.out.join(''))).toMatchObject({ faults: [] })
  })
})

describe('whoever is not an admin', () => {
  it('is refused, whatever it is about, and that is in the audit', async () => {
    vi.stubEnv('BECKON_ADMIN_TOKEN', 'token-of-an-auditor')
    for (const words of [
      ['tokens', 'list'],
      ['audit', 'export'],
      ['asks', 'list'],
    ])
      expect(await run(['admin', ...words, '--desk', url])).toBe(1)
    expect(said.out).toEqual([])
    expect(said.error.at(-1)).toBe('This is for admins; that it was tried is in the audit.')
    const refused = await desk.audit.query({ principal: 'iris' })
    expect(refused.filter(({ event }) => event === 'rejected')).toHaveLength(3)
  })

  it.each([
    [
      'a token that nobody has',
      ['tokens', 'list'],
      { BECKON_ADMIN_TOKEN: 'token-of-nobody-at-all' },
      1,
      'does not know',
    ],
    ['no token', ['tokens', 'list'], {}, 2, 'BECKON_ADMIN_TOKEN_FILE'],
    ['an action that is none', ['tokens', 'burn'], {}, 2, 'is not an action'],
    ['too few words', ['tokens', 'create'], {}, 2, 'beckon admin tokens create <server>'],
  ])('is told what to do with %s', async (_, words, env, code, words2) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    expect(await run(['admin', ...words, '--desk', url])).toBe(code)
    expect(said.error.join('\n')).toContain(words2)
  })

  it.each([
    ['http://desk.example', 2, 'Use https'],
    ['https://ops:token@desk.example', 2, 'does not belong in the address'],
    ['nowhere', 2, 'Which desk?'],
    ['http://127.0.0.1:20001', 4, 'does not answer (ECONNREFUSED)'],
  ])('sends no token to %s', async (where, code, words) => {
    expect(await run(['admin', 'tokens', 'list', '--desk', where, '--token-file', tokenFile])).toBe(code)
    expect(said.error.join('\n')).toContain(words)
    expect(said.error.join('\n')).not.toContain('token-of-the-admin')
  })
})

it('finds by a check that the keys in a store are wrapped by another key than that of the configuration', async () => {
  const path = join(folder, 'beckon.json')
  const check = (key?: object) => {
    vi.stubEnv('BECKON_KEY', '')
    const oidc = { issuer: 'https://id.example', clientId: 'desk' }
    writeFileSync(path, JSON.stringify({ publicUrl: 'https://desk.example', store: 'wrapped.db', oidc, key }))
    return run(['admin', 'store', 'check', '--config', path])
  }
  const key = { file: join(folder, 'key.txt') }
  writeFileSync(key.file, 'the key that wraps')
  vi.stubEnv('BECKON_KEY', 'the key that wraps')
  const store = sealedStore(sqliteStore(join(folder, 'wrapped.db')))
  await store.set('key', 'value')
  await store.close()
  expect(await check()).toBe(78)
  expect(said.error.join('\n')).toContain('Set it to the key that they were wrapped with.')
  expect(await check(key)).toBe(0)
})

it('checks and migrates the store of a configuration, with no desk there', async () => {
  const path = join(folder, 'beckon.json')
  const oidc = { issuer: 'https://id.example', clientId: 'desk' }
  const write = (store: string) =>
    writeFileSync(path, JSON.stringify({ publicUrl: 'https://desk.example', store, oidc }))
  write('state.db')
  expect(await run(['admin', 'store', 'migrate', '--config', path])).toBe(0)
  expect(await run(['admin', 'store', 'check', '--config', path])).toBe(0)
  expect(said.out.join('\n')).toMatch(/state\.db is at this version\.\n.*was written to and read/)
  write('postgres://127.0.0.1:1/x')
  expect(await run(['admin', 'store', 'check', '--config', path])).toBe(4)
})
