import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { CliError } from '../cli-error.js'
import { settings } from './environment.js'
import { configJsonSchema } from './json-schema.js'
import { readConfig } from './read-config.js'

const folder = mkdtempSync(join(tmpdir(), 'beckon-config-'))
const path = join(folder, 'beckon.json')
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'token'), 'a-token-of-the-shop\n')
writeFileSync(join(folder, 'empty'), '\n')

const least = {
  publicUrl: 'https://desk.example',
  store: 'memory',
  oidc: { issuer: 'https://id.example', clientId: 'desk' },
}

function read(value: unknown, env: Record<string, string> = {}) {
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  return readConfig(path, env).config
}

function mistakes(value: unknown, env: Record<string, string> = {}): string {
  try {
    read(value, env)
  } catch (error) {
    expect(error).toBeInstanceOf(CliError)
    expect(error).toMatchObject({ exitCode: 78 })
    return error instanceof Error ? error.message.replaceAll(`${folder}/`, '') : ''
  }
  return expect.unreachable('it was taken')
}

describe('a configuration', () => {
  it('has everything that is not said by default', () => {
    expect(read(least)).toMatchObject({
      listen: { host: '127.0.0.1', port: 4748 },
      monitoring: { port: 9748 },
      push: { enabled: true },
      log: { level: 'info' },
    })
  })

  it('takes comments and a last comma, as people write them', () => {
    expect(read(`// Our desk.\n${JSON.stringify(least).slice(0, -1)},}`)).toMatchObject({ store: 'memory' })
  })

  it('reads secrets from files beside it, from variables that it names, and without the line break at their end', () => {
    const servers = { shop: { file: 'token' }, other: { env: 'OTHER' } }
    expect(read({ ...least, servers }, { OTHER: 'a-token-of-the-other' }).servers).toEqual({
      shop: 'a-token-of-the-shop',
      other: 'a-token-of-the-other',
    })
  })

  it.each([
    ['an unknown key', { ...least, listen: { prot: 1 } }, 'beckon.json:9: "listen.prot" is not a setting.'],
    ['a wrong type', { ...least, listen: { port: '80' } }, 'beckon.json:9: "listen.port" must be a number.'],
    ['a list that is none', { ...least, proxies: '10.0.0.1' }, 'beckon.json:8: "proxies" must be a list.'],
    ['a value that is missing', { ...least, store: undefined }, '"store" is missing.'],
    [
      'people who cannot sign in',
      { ...least, oidc: undefined },
      '"oidc" is missing: the OpenID provider that people sign in at. Without one, `beckon inbox` is a desk for this machine, and ' +
        '`createDesk` with `bearerAccess` one of your own.',
    ],
    ['another word', { ...least, log: { level: 'loud' } }, 'beckon.json:9: "log.level"'],
    ['no JSON', '{\n"store": nothing }', 'beckon.json:2: This is not JSON'],
    ['a list', [], 'beckon.json: A configuration is an object'],
    [
      'plain http',
      { ...least, publicUrl: 'http://desk.example' },
      '"publicUrl" must begin with https: cookies and answers travel there.',
    ],
    ['a path', { ...least, publicUrl: 'https://a.example/desk' }, 'such as "https://a.example"'],
    ['half of a certificate', { ...least, listen: { certificate: 'c.pem' } }, '"listen.certificateKey" go together'],
    ['replicas of a file', { ...least, replicas: 1 }, '"replicas" is for a store in Redis.'],
  ])('is refused for %s', (_, value, words) => {
    expect(mistakes(value)).toContain(words)
  })

  it.each([
    [
      'a client secret',
      { ...least, oidc: { ...least.oidc, clientSecret: 'hush-hush' } },
      '"oidc.clientSecret" is a secret',
    ],
    ['a token', { ...least, servers: { shop: 'hush-hush-hush-hush' } }, '"servers.shop" is a secret'],
    ['the password of the store', { ...least, store: 'postgres://a:hush-hush@db/x' }, '"store" has a password in it'],
    ['one as a parameter', { ...least, store: 'postgres://db/x?password=hush-hush' }, '"store" has a password in it'],
    [
      'the password of the mail server',
      { ...least, email: { smtp: 'smtps://a:hush-hush@mail', from: 'desk@x.example' } },
      '"email.smtp" has a password in it',
    ],
  ])('is refused with %s in it, which is not repeated', (_, value, words) => {
    const said = mistakes(value)
    expect(said).toContain(words)
    expect(said).toContain('{ "file": "path" }')
    expect(said).not.toContain('hush-hush')
  })

  it.each([
    [{ file: 'absent' }, 'names absent, which cannot be read (ENOENT)'],
    [{ file: 'empty' }, 'names empty, which is empty'],
    [{ file: 'beckon.json' }, 'has more than one line'],
    [{ env: 'ABSENT' }, 'names the variable ABSENT, which is not set'],
    [{ env: 'SHORT' }, 'must have at least 16'],
  ])('is refused for a secret at %j', (place, words) => {
    expect(mistakes({ ...least, servers: { shop: place } }, { SHORT: 'short' })).toContain(words)
  })

  it('names every mistake at once', () => {
    expect(mistakes({ ...least, stoer: 1, passkeys: 'yes' }).split('\n')).toHaveLength(2)
  })
})

describe('the environment', () => {
  it('can give everything, without a file', () => {
    const { config } = readConfig(undefined, {
      BECKON_PUBLIC_URL: 'https://desk.example',
      BECKON_STORE_FILE: join(folder, 'token'),
      BECKON_OIDC_ISSUER: 'https://id.example',
      BECKON_OIDC_CLIENT_ID: 'desk',
      BECKON_OIDC_CLIENT_SECRET: 'hush-hush',
      BECKON_LISTEN_PORT: '80',
      BECKON_PASSKEYS: 'true',
      BECKON_PROXIES: '10.0.0.1, 10.0.0.2',
      BECKON_GROUPS: '{"release":["ada"]}',
      BECKON_SERVERS: JSON.stringify({ shop: { file: join(folder, 'token') } }),
    })
    expect(config).toMatchObject({
      store: 'a-token-of-the-shop',
      oidc: { clientSecret: 'hush-hush' },
      listen: { port: 80 },
      passkeys: true,
      proxies: ['10.0.0.1', '10.0.0.2'],
      groups: { release: ['ada'] },
      servers: { shop: 'a-token-of-the-shop' },
    })
  })

  it('counts more than the file, and is named for its mistakes', () => {
    expect(read(least, { BECKON_STORE: 'state.db' }).store).toBe('state.db')
    expect(mistakes(least, { BECKON_LISTEN_PORT: 'http' })).toBe('BECKON_LISTEN_PORT: "listen.port" must be a number.')
  })

  it('is refused for a name that is almost one, and left alone for others', () => {
    expect(mistakes(least, { BECKON_OIDC_ISUER: 'https://id.example' })).toContain('BECKON_OIDC_ISUER is not a setting')
    expect(read(least, { BECKON_PORT: 'tcp://10.0.0.1:80', BECKON_SERVICE_HOST: '10.0.0.1' }).store).toBe('memory')
  })

  it('has one name for each value', () => {
    const names = settings().map(({ variable }) => variable)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('BECKON_RETENTION_AUDIT_DAYS')
  })
})

it('is described by the JSON Schema that is published', () => {
  const published = readFileSync(new URL('../../beckon.schema.json', import.meta.url), 'utf8')
  expect(JSON.parse(published), 'beckon config schema > packages/cli/beckon.schema.json').toEqual(configJsonSchema())
})
