// What can be known of the files in deploy/ without a container engine.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../packages/cli/src/config/read-config.js'
import { findProgram } from '../../scripts/services/find-program.mjs'

const deploy = new URL('../../deploy/', import.meta.url)
const textOf = (name: string) => readFileSync(new URL(name, deploy), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'beckon-deploy-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The names of the secrets that a text has files of. */
const secretsIn = (text: string, before: string) =>
  [...new Set(Array.from(text.matchAll(new RegExp(`${before}(\\w+)`, 'g')), ([, name = '']) => name))].sort()

describe('the image', () => {
  const [build = '', image = ''] = textOf('Dockerfile')
    .split(/^FROM .* AS build$|^FROM /m)
    .slice(1)

  it('has every package that the command needs, and what builds it stays behind', () => {
    const needed = new Set<string>()
    const add = (name: string) => {
      const path = new URL(`../packages/${name}/package.json`, deploy)
      const { dependencies = {} } = JSON.parse(readFileSync(path, 'utf8'))
      needed.add(name)
      for (const each of Object.keys(dependencies)) {
        const own = each === 'beckon' ? 'server' : /^@beckon\/(.*)/.exec(each)?.[1]
        if (own !== undefined && !needed.has(own)) add(own)
      }
    }
    add('cli')
    const [, copied = ''] = /for package in (.*?);/.exec(build) ?? []
    expect(copied.split(' ')).toEqual(expect.arrayContaining([...needed]))
    expect(image).not.toMatch(/npm|COPY \. /)
  })

  it('runs as nobody in particular, says whether it lives, and is told to stop', () => {
    expect(image).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
    expect(image).toMatch(/^HEALTHCHECK [\s\S]*\/healthz/m)
    expect(image).toMatch(/^STOPSIGNAL SIGTERM$/m)
    // A shell in between would not pass that on.
    expect(image).toMatch(/^ENTRYPOINT \["node"/m)
  })
})

describe('the containers', () => {
  it('have a configuration that can be used, and every secret that it names', () => {
    const config = textOf('beckon.json')
    const wanted = secretsIn(config, '/run/secrets/')
    expect(wanted).toEqual(['key', 'oidc', 'ops', 'store'])
    mkdirSync(join(folder, 'secrets'))
    for (const name of wanted) writeFileSync(join(folder, 'secrets', name), 'a-secret-of-the-tests')
    const path = join(folder, 'beckon.json')
    writeFileSync(path, config.replaceAll('/run/secrets/', 'secrets/'))
    expect(readConfig(path, {}).config.oidc.clientSecret).toBe('a-secret-of-the-tests')
    const compose = textOf('compose.yaml')
    expect(secretsIn(compose, '\\./secrets/')).toEqual([...wanted, 'postgres'].sort())
    expect(compose).toContain(`secrets: [store, key, oidc, ops]`)
  })

  it('write nowhere, and have no right that they do not need', () => {
    const compose = textOf('compose.yaml')
    expect(compose).toContain('read_only: true')
    expect(compose).toContain('cap_drop: [ALL]')
    expect(compose).toContain('no-new-privileges:true')
    const [, proxy = ''] = /ipv4_address: (\S+) /.exec(compose) ?? []
    expect(JSON.parse(textOf('beckon.json')).proxies).toEqual([proxy])
  })
})

it.skipIf(findProgram(['systemd-analyze']) === undefined)('has a unit that systemd understands', () => {
  const unit = join(folder, 'beckon@8.service')
  copyFileSync(new URL('beckon@.service', deploy), unit)
  writeFileSync(unit, readFileSync(unit, 'utf8').replace('/usr/bin/beckon', process.execPath))
  const said = execFileSync('sh', ['-c', `systemd-analyze verify ${unit} 2>&1 || true`], { encoding: 'utf8' })
  expect(said.split('\n').filter(line => line.includes('beckon@8'))).toEqual([])
})
