// docs/deploying.md, followed to the end: its files and commands as they stand there, with the names and ports of this machine.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { identityProvider } from '../../packages/server/test/auth/identity-provider.js'
import { launch, noBrowser } from '../../packages/server/test/browser/chromium.js'
import { findProgram } from '../../scripts/services/find-program.mjs'
import { freePort } from '../../scripts/services/free-port.mjs'
import { programOf } from '../programs/program.mjs'
import { blocks, commands, said } from './page.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const postgres = process.env.BECKON_TEST_POSTGRES
const nginx = process.env.BECKON_TEST_NGINX
const openssl = findProgram(['openssl'])
const canFollow = postgres && nginx && noBrowser === undefined && openssl !== undefined

it('has as many commands as it says', () => {
  expect(commands).toHaveLength(said)
})

it.each([
  ['nginx', 'nginx.conf'],
  ['caddyfile', 'Caddyfile'],
])('shows the same %s file as there is in deploy', async (language, file) => {
  expect(`${blocks(language)[0]}\n`).toBe(await readFile(join(root, 'deploy', file), 'utf8'))
})

it.skipIf(!canFollow)(
  'leads from an empty folder to a desk on two nodes, whose restart loses nothing',
  { timeout: 300_000 },
  async () => {
    const ports = { desk: [await freePort(), await freePort()], probes: [await freePort(), await freePort()] }
    const [front, own] = [await freePort(), await freePort()]
    const publicUrl = `https://localhost:${front}`
    const idp = await identityProvider()
    const secret = 'a secret of the desk'
    idp.knows({ client_id: 'desk', client_secret: secret, redirect_uris: [`${publicUrl}/callback`] })
    const here = (text: string) =>
      [
        ['https://desk.example', publicUrl],
        ['https://id.example', idp.issuer],
        ['CLIENT-SECRET', secret],
        ['4748', ports.desk[0]],
        ['4749', ports.desk[1]],
        ['9749', ports.probes[1]],
        ['4747', own],
        ['listen 443', `listen 127.0.0.1:${front}`],
        ['desk.example', 'localhost'],
        ['/etc/ssl/', `${folder}/`],
      ].reduce((known, [from, to]) => known.replaceAll(`${from}`, `${to}`), text)

    // 1. The database, and a folder in which the packages are found as if they were installed.
    const database = await newDatabase()
    const folder = await mkdtemp(join(root, 'node_modules/.deploying-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    execFileSync(
      openssl ?? '',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
        ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
        ...['-keyout', join(folder, 'localhost.key'), '-out', join(folder, 'localhost.pem')],
      ],
      { stdio: 'pipe' },
    )
    const beckon = await programOf(new URL('../../packages/cli/src/main.ts', import.meta.url))
    await mkdir(join(folder, 'bin'))
    await writeFile(join(folder, 'bin/beckon'), `#!/bin/sh\nexec node ${beckon} "$@"\n`)
    await chmod(join(folder, 'bin/beckon'), 0o755)
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    let env: Record<string, string | undefined> = {
      ...process.env,
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      NODE_EXTRA_CA_CERTS: join(folder, 'localhost.pem'),
      BECKON_LISTEN_PORT: `${ports.desk[0]}`,
      BECKON_MONITORING_PORT: `${ports.probes[0]}`,
    }
    const sh = (command: string) =>
      execFileSync('sh', ['-ec', command], { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
    const background = (command: string): Running => {
      const child = spawn('sh', ['-c', `${command.replace(/^((?:\w+=\S+ )*)/, '$1exec ')}`], { cwd: folder, env })
      onTestFinished(() => void child.kill('SIGKILL'))
      return running(child)
    }

    // 2. to 6., as the page has it: its files first, then its commands one after the other.
    await writeFile(join(folder, 'beckon.json'), here(blocks('json')[0] ?? ''))
    const server = join(folder, 'server.js')
    await writeFile(server, here(blocks('ts')[0] ?? ''))
    // With the packages as their sources are.
    await writeFile(server, `import ${JSON.stringify(await programOf(pathToFileURL(server)))}`)
    await startNginx(folder, here(blocks('nginx')[0] ?? ''))
    const begunAt = performance.now()
    const started: Running[] = []
    const serving: string[] = []
    for (const command of commands.map(here)) {
      const line = command.replace(/postgres:\/\/\S+?(?=')/, database)
      if (line.startsWith('export ')) {
        const given = line
          .slice('export '.length)
          .split(' ')
          .map(pair => pair.split('='))
        env = { ...env, ...Object.fromEntries(given) }
      } else if (line.endsWith('&')) {
        // What is in the background on one machine is ready before what comes next.
        const filled = line.slice(0, -2).replace(/\$\(cat (\S+)\)/, (_, file) => sh(`cat ${file}`).trim())
        started.push(background(filled))
        if (line.includes('beckon serve')) await isReady(ports.probes[serving.push(filled) - 1])
        else await started.at(-1)?.written(/http:\S+/)
      } else sh(line)
    }
    expect(existsSync(join(folder, 'secrets/shop'))).toBe(true)

    // Somebody signs in with a browser, and answers what a client that cannot ask has called.
    const client = new Client({ name: 'one that cannot ask', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${own}/mcp`)))
    onTestFinished(() => client.close())
    const inbox = await openInbox(publicUrl, idp.issuer)
    const order = async () => {
      const result = client.callTool({ name: 'order' })
      await inbox.accept('Order it?')
      expect((await result).content).toEqual([{ type: 'text', text: 'Ordered.' }])
    }
    await order()
    console.info(`${commands.length} commands to the first answer, ${Math.round(performance.now() - begunAt) / 1000} s`)

    // A rolling restart under load.
    const tokens = { SHOP_TOKEN: sh('cat secrets/shop').trim(), OPS_TOKEN: sh('cat secrets/ops').trim() }
    env = { ...env, ...tokens }
    const load = background(`node ${await programOf(new URL('./load.ts', import.meta.url))}`)
    await load.written(/busy/)
    for (const [index, command] of serving.entries()) {
      const from = performance.now()
      started[index]?.child.kill('SIGTERM')
      expect(await started[index]?.ended).toBe(0)
      expect(performance.now() - from).toBeLessThan(10_000)
      started[index] = background(command)
      await isReady(ports.probes[index])
    }
    load.child.stdin?.end()
    const report = JSON.parse((await load.written(/\{.*\}\n/))[0])
    console.info(`${report.acknowledged} answers during the restart of both nodes, ${report.again} sent again`)
    expect(report).toMatchObject({ lost: [] })
    expect(report.acknowledged).toBeGreaterThan(20)
    // The same page, which nobody loaded again, goes on.
    await order()
    expect(inbox.visits).toBe(1)
    sh('beckon admin audit verify')
  },
)

interface Running {
  readonly child: ChildProcess
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>
  /** Resolves with what fits, once it was written. */
  written(pattern: RegExp): Promise<RegExpExecArray>
}

function running(child: ChildProcess): Running {
  let text = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', part => {
      text += part
      for (const look of listeners) look()
    })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    child,
    ended,
    written: pattern =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(text)
          if (found === null) return
          listeners.delete(look)
          resolve(found)
        }
        listeners.add(look)
        void ended.then(code => reject(new Error(`It ended with ${code}, without ${pattern}: ${text}`)))
        look()
      }),
  }
}

async function newDatabase(): Promise<string> {
  const name = `deploying_${process.pid}_${Date.now()}`
  const ask = async (text: string) => {
    const admin = new pg.Client({ connectionString: postgres })
    await admin.connect()
    await admin.query(text)
    await admin.end()
  }
  await ask(`create database ${name}`)
  onTestFinished(() => ask(`drop database ${name} with (force)`))
  const url = new URL(postgres ?? '')
  url.pathname = `/${name}`
  return url.href
}

async function startNginx(folder: string, site: string): Promise<void> {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(name => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  const whole = `daemon off; pid ${folder}/nginx.pid; error_log stderr crit; ${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http {
access_log off;
${paths}
${site}
}
`
  await writeFile(join(folder, 'nginx.conf'), whole)
  const child = spawn(nginx ?? '', ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')], {
    stdio: 'inherit',
  })
  onTestFinished(async () => {
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  })
}

async function isReady(port: number | undefined): Promise<void> {
  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 60_000 },
    )
    .toBe(true)
}

async function openInbox(url: string, issuer: string) {
  const context = await (await launch()).newContext({ ignoreHTTPSErrors: true })
  onTestFinished(() => context.close())
  const page: Page = await context.newPage()
  const counted = { visits: 0 }
  page.on('framenavigated', frame => {
    if (frame === page.mainFrame() && frame.url().startsWith(url) && !frame.url().includes('/callback'))
      counted.visits++
  })
  await page.goto(url)
  expect(new URL(page.url()).origin).toBe(issuer)
  await page.getByLabel('Name').fill('alice')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${url}/**`)
  return {
    get visits() {
      return counted.visits
    },
    async accept(words: string) {
      await page.locator('beckon-ask-list .row', { hasText: words }).first().click()
      await page.getByRole('button', { name: 'Accept' }).click()
      await page.getByRole('button', { name: 'Send now' }).click()
    },
  }
}
