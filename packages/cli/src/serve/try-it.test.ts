// "Trying it without a provider" of docs/deploying.md, followed as it stands there, on ports of this machine.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findProgram } from '../../../../scripts/services/find-program.mjs'
import { freePort } from '../../../../scripts/services/free-port.mjs'
import { beckon, startBeckon } from '../../test/beckon.js'

const page = readFileSync(new URL('../../../../docs/deploying.md', import.meta.url), 'utf8')
const section = page.slice(page.indexOf('## Trying it without a provider'))
const block = (language: string) => new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(section)?.[1] ?? ''
const missing = ['bash', 'curl', 'openssl'].find(program => findProgram([program]) === undefined)

it.skipIf(missing !== undefined)('serves without a provider, as the page says', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-try-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const port = await freePort()
  const here = (text: string) => text.replaceAll('4748', String(port))
  const config = join(folder, 'try.json')
  writeFileSync(config, here(block('json')))
  const tokens = { ADA: 'a-token-of-adas-own', SHOP: 'a-token-of-the-shop' }
  const ports = { BECKON_LISTEN_PORT: String(port), BECKON_MONITORING_PORT: '0' }
  const [exported, serve, ...commands] = block('console').split('\n')
  expect([exported, serve]).toEqual([expect.stringContaining('export ADA='), 'beckon serve --config try.json &'])
  const serving = startBeckon(['serve', '--config', config], { ...tokens, ...ports })
  onTestFinished(async () => void (await serving.stop()))
  await serving.written(/"Serving\."/)
  const own = beckon()
    .map(word => `'${word}'`)
    .join(' ')
  const said = commands.map(command =>
    execFileSync('bash', ['-c', `beckon() { ${own} "$@"; }\n${here(command)}`], {
      cwd: folder,
      env: { ...process.env, ...tokens },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  expect(said).toEqual([
    expect.stringContaining('"id":"shop.1.1"'),
    expect.stringContaining('Order it?'),
    expect.stringContaining('Order it?'),
    expect.not.stringContaining('"status":4'),
  ])
})
