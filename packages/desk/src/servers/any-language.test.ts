// The examples of the docs for other languages, as they stand there.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { bearerAccess, createDesk } from '../index.js'

const run = promisify(execFile)
const token = 'a-token-of-the-script'
const alice = 'a-token-of-alice-here'

/** The first block in a language. */
async function example(language: string, after = ''): Promise<string> {
  const docs = await readFile(new URL('../../../../docs/desk.md', import.meta.url), 'utf8')
  const from = docs.indexOf('### Any program, in any language')
  const start = docs.indexOf(`\`\`\`${language}\n${after}`, from)
  return docs.slice(docs.indexOf('\n', start) + 1, docs.indexOf('\n```', start + 4))
}

const has = (program: string) =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  )

it.skipIf(!(await has('python3'))).each([
  ['answer', 'accept'],
  ['decline', 'decline'],
])('a program in Python asks, and a person gives an %s over REST', { timeout: 60_000 }, async (what, action) => {
  const desk = createDesk({
    servers: { ci: token },
    access: bearerAccess({ tokens: { [alice]: { principal: 'alice' } } }),
  })
  const { url } = await desk.listen()
  const python = run('python3', ['-c', await example('python'), url.replace(/\/$/, ''), token])
  const headers = { authorization: `Bearer ${alice}`, 'content-type': 'application/json' }
  const list = async () => (await (await fetch(`${url}api/asks`, { headers })).json()) as { asks: Shown[] }
  await expect.poll(async () => (await list()).asks, { timeout: 30_000 }).toHaveLength(1)
  const [ask] = (await list()).asks
  expect(ask).toMatchObject({ server: 'ci', message: 'Deploy build 41?', destructive: true })
  const answered = await fetch(`${url}api/asks/${ask?.session}/${ask?.id}/${what}`, {
    method: 'POST',
    headers,
    body: '{}',
  })
  expect(answered.status).toBe(200)
  expect((await python).stdout.trim()).toBe(action)
  await desk.close()
})

it.skipIf(!(await has('curl')))('an ask is opened with curl', async () => {
  const desk = createDesk({ servers: { ci: token } })
  const { url } = await desk.listen()
  const command = (await example('sh', 'curl')).replace('https://desk.example/', url).replace('curl', 'curl -s')
  const { stdout } = await run('sh', ['-c', command], { env: { ...process.env, TOKEN: token } })
  expect(JSON.parse(stdout)).toMatchObject({ link: expect.stringContaining(url), session: 'call-ci.build-41' })
  await desk.close()
})

interface Shown {
  readonly session: string
  readonly id: string
}
