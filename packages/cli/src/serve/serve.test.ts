import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStore } from '@beckon/sqlite'
import { sealedStore } from 'beckon/store'
import Database from 'libsql'
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { findProgram } from '../../../../scripts/services/find-program.mjs'
import { freePort } from '../../../../scripts/services/free-port.mjs'
import { readConfig } from '../config/read-config.js'
import { run } from '../run.js'
import { certificateOf } from './certificate.js'
import { createLogger } from './logger.js'
import { serve } from './serve.js'

const folder = mkdtempSync(join(tmpdir(), 'beckon-serve-'))
afterAll(() => rmSync(folder, { recursive: true }))
// A configuration's key becomes the environment's: what was there is put back.
beforeEach(() => void vi.stubEnv('BECKON_KEY', undefined))
afterEach(() => void vi.unstubAllEnvs())

const lines: string[] = []
const log = createLogger({ level: 'debug', write: line => lines.push(line) })

interface Wanted {
  readonly [key: string]: unknown
}

function configWith(more: Wanted, env: Record<string, string> = {}) {
  const path = join(folder, 'beckon.json')
  const least = {
    publicUrl: 'http://127.0.0.1:4748',
    listen: { port: 0 },
    monitoring: { port: 0 },
    store: 'memory',
    oidc: { issuer: 'http://127.0.0.1:9', clientId: 'desk' },
  }
  writeFileSync(path, JSON.stringify({ ...least, ...more }))
  return readConfig(path, env)
}

async function serving(more: Wanted = {}, env: Record<string, string> = {}) {
  const started = await serve(configWith(more, env), log)
  onTestFinished(async () => void (await started.stop()))
  return started
}

describe('a desk that serves', () => {
  it('lives, can serve, and shows its figures, which as its log have no words of asks and no tokens', async () => {
    const token = 'a-token-of-the-shop'
    const port = await freePort()
    const { url, monitoringUrl } = await serving(
      { publicUrl: `http://127.0.0.1:${port}`, listen: { port }, servers: { shop: { env: 'SHOP' } } },
      { SHOP: token },
    )
    const look = async (path: string) => {
      const response = await fetch(new URL(path, monitoringUrl))
      return [response.status, await response.text()]
    }
    expect(await look('/healthz')).toEqual([200, 'ok\n'])
    expect(await look('/readyz')).toEqual([200, 'ok\n'])
    expect(await look('/elsewhere')).toEqual([404, expect.stringContaining('/readyz')])
    const opened = await fetch(new URL('/api/asks', url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: '1', message: 'What only the people who are asked may read' }),
    })
    expect(opened.status).toBe(201)
    const [status, figures] = await look('/metrics')
    expect(status).toBe(200)
    expect(figures).toMatch(/^beckon_desk_asks_total\{beckon_desk_event="asked".*\} 1$/m)
    expect(figures).toMatch(/^beckon_store_duration_count\{/m)
    expect(figures).toMatch(/^beckon_desk_connections\{.*\} 0$/m)
    for (const told of [`${figures}`, lines.join('')])
      for (const kept of ['people who are asked', token]) expect(told).not.toContain(kept)
    expect((await fetch(new URL('/healthz', url))).status).toBe(401)
  })

  it('can serve no more once the keys in the store are wrapped by one that it does not have', async () => {
    const [own, other] = ['the key of this node', 'the key of another node']
    const { monitoringUrl } = await serving({ store: join(folder, 'rewrapped.db'), key: { env: 'KEY' } }, { KEY: own })
    expect((await fetch(`${monitoringUrl}/readyz`)).status).toBe(200)
    const plain = sqliteStore(join(folder, 'rewrapped.db'))
    await plain.delete('keys')
    await plain.close()
    await keepSomething('rewrapped.db', other)
    vi.stubEnv('BECKON_KEY', own)
    const refused = await fetch(`${monitoringUrl}/readyz`)
    expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('BECKON_KEY')])
  })

  it('can serve no more once it is stopping', async () => {
    const path = join(folder, 'away.db')
    const { monitoringUrl, stop } = await serving({ store: path })
    expect((await fetch(`${monitoringUrl}/readyz`)).status).toBe(200)
    const stopping = stop()
    expect((await fetch(`${monitoringUrl}/readyz`)).status).toBe(503)
    expect(await stopping).toBe(true)
  })

  it('says of an error what went wrong, and nothing of where passwords are', () => {
    log.error('postgres://ada:hush-hush@db/x failed.')
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ level: 'error', message: 'postgres://db/x failed.' })
    expect(lines.join('')).not.toContain('a-token-of-the-shop')
  })
})

/** Has the store keep something as any node would, which takes the keys. */
async function keepSomething(file: string, key = ''): Promise<void> {
  vi.stubEnv('BECKON_KEY', key)
  const store = sealedStore(sqliteStore(join(folder, file)))
  await store.set('key', 'value')
  await store.close()
}

describe('a desk does not serve', () => {
  it('on a port that is taken', async () => {
    const taken = createServer()
    await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void taken.close())
    // A server that listens on a port has an address of this kind.
    const { port } = taken.address() as AddressInfo
    for (const [where, setting] of [
      ['listen', '"listen.port" (BECKON_LISTEN_PORT)'],
      ['monitoring', '"monitoring.port" (BECKON_MONITORING_PORT)'],
    ] as const)
      await expect(serve(configWith({ [where]: { port } }), log)).rejects.toMatchObject({
        exitCode: 4,
        message: `Port ${port} is taken. Choose another with ${setting}, or 0 for any.`,
      })
  })

  it('with a store that is away', async () => {
    await expect(
      serve(configWith({ store: { env: 'STORE' } }, { STORE: 'postgres://ada:hush-hush@127.0.0.1:1/x' }), log),
    ).rejects.toMatchObject({
      exitCode: 4,
      message: expect.stringMatching(/^"store": postgres:\/\/127.0.0.1:1\/x does not answer .*ECONNREFUSED.*Start it/),
    })
  })

  it('with an address that cannot be one of a store', async () => {
    const wrong = serve(configWith({ store: 'redis+sentinel://127.0.0.1' }), log)
    await expect(wrong).rejects.toMatchObject({ exitCode: 78, message: expect.stringContaining('"store": redis') })
  })

  it('with another key than the one that wraps those in the store, with none, or with one that they are not wrapped by yet', async () => {
    const open = (file: string, key?: string) => {
      vi.stubEnv('BECKON_KEY', '')
      return serve(configWith({ store: join(folder, file), key: key && { env: 'KEY' } }, { KEY: key ?? '' }), log)
    }
    const refused = (message: string) => ({ exitCode: 78, message: expect.stringContaining(message) })
    const [first, second] = ['the first key that wraps', 'the second key that wraps']
    await keepSomething('wrapped.db', first)
    await expect(open('wrapped.db')).rejects.toMatchObject(
      refused('"key" (BECKON_KEY): The keys in the store are wrapped'),
    )
    await expect(open('wrapped.db', second)).rejects.toMatchObject(refused('list the new one and the old one'))
    await expect(open('wrapped.db', 'none')).rejects.toMatchObject(refused('has no key in it'))
    await (await open('wrapped.db', `${second},${first}`)).stop()
    await keepSomething('plain.db')
    await expect(open('plain.db', first)).rejects.toMatchObject(refused('"none"'))
    await (await open('plain.db', `${first},none`)).stop()
  })

  it('with a store of a later version', async () => {
    const path = join(folder, 'later.db')
    const store = sqliteStore(path)
    await store.set('key', 1)
    await store.close()
    const database = new Database(path)
    database.exec(`insert into migrations values (99, 99, datetime())`)
    database.close()
    await expect(serve(configWith({ store: path }), log)).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(/is at version 99.*Update @beckon\/sqlite/),
    })
  })

  it('with rules that have mistakes', async () => {
    writeFileSync(join(folder, 'rules.json'), '{ "rules": [{ "id": "one" }] }')
    const wrong = serve(configWith({ rules: 'rules.json' }), log)
    await expect(wrong).rejects.toMatchObject({ exitCode: 78, message: expect.stringContaining('rules.json:1:') })
  })
})

const openssl = findProgram(['openssl'])

describe.skipIf(openssl === undefined)('a certificate', () => {
  const made = (name: string, days = '30', host = 'IP:127.0.0.1') => {
    const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
    const subject = ['-subj', '/CN=desk', '-addext', `subjectAltName=${host}`, '-days', days]
    const how = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    execFileSync(openssl ?? '', [...how, '-keyout', key, '-out', cert, ...subject], { stdio: 'pipe' })
    return { certificate: cert, certificateKey: key }
  }

  it('that fits is what the desk serves with', async () => {
    const pair = made('good')
    const port = await freePort()
    const { url } = await serving({ publicUrl: `https://127.0.0.1:${port}`, listen: { port, ...pair } })
    const status = await new Promise((resolve, reject) => {
      const ca = readFileSync(pair.certificate)
      const sent = request(new URL('/api/asks', url), { ca }, response => resolve(response.statusCode))
      sent.on('error', reject).end()
    })
    expect(status).toBe(401)
  })

  it('that is over is refused', () => {
    const { config } = configWith({ publicUrl: 'https://127.0.0.1:4748', listen: made('four', '1') })
    const later = Date.now() + 2 * 24 * 60 * 60 * 1000
    expect(() => certificateOf(config, folder, later)).toThrow('Give one that is good now')
  })

  it.each([
    [
      'has the key of another',
      () => ({ ...made('one'), certificateKey: made('two').certificateKey }),
      'is not the key of',
    ],
    ['is for another host', () => made('three', '30', 'DNS:other.example'), 'is not for 127.0.0.1'],
    ['is not there', () => ({ ...made('five'), certificate: '/absent.pem' }), '/absent.pem cannot be read (ENOENT)'],
    ['is none', () => ({ ...made('six'), certificate: import.meta.filename }), 'has no certificate in it'],
  ])('that %s is refused', async (_, pair, words) => {
    const listen = { port: 0, ...pair() }
    const wrong = serve(configWith({ publicUrl: 'https://127.0.0.1:4748', listen }), log)
    await expect(wrong).rejects.toMatchObject({ exitCode: 78, message: expect.stringContaining(words) })
  })
})

it('is checked by a command, which connects to nothing', async () => {
  configWith({ store: 'postgres://127.0.0.1:1/x' })
  expect(await run(['config', 'check', '--config', join(folder, 'beckon.json')])).toBe(0)
  configWith({})
  writeFileSync(join(folder, 'beckon.json'), '{}')
  expect(await run(['config', 'check', '--config', join(folder, 'beckon.json')])).toBe(78)
  expect(await run(['serve', '--config', join(folder, 'absent.json')])).toBe(78)
})
