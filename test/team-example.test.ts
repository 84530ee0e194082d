// "Ask your team" of docs/getting-started.md as it stands there: the desk and the server in processes of their own, a client that
// cannot ask, and Bob with the two commands of the page.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../packages/desk/test/free-port.js'
import { programOf } from './programs/program.mjs'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)
const tokens = {
  ALICE_TOKEN: 'a-token-of-alice-here',
  BOB_TOKEN: 'a-token-of-bob-here-1',
  NOTES_TOKEN: 'a-token-of-notes-here',
}

/** The blocks of a page in a language, below a heading. */
async function blocks(language: string, heading: string): Promise<string[]> {
  const page = await readFile(join(root, 'docs/getting-started.md'), 'utf8')
  const below = page.slice(page.indexOf(heading))
  return Array.from(below.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 'gs')), ([, code = '']) => code)
}

it.skipIf(!hasCurl)('a team answers as the page says', { timeout: 120_000 }, async () => {
  const [deskCode = '', twoLines = ''] = await blocks('ts', '## Ask your team')
  const [whole = ''] = await blocks('ts', '`server.js`, the whole of it')
  const [commands = ''] = await blocks('sh', '## Ask your team')
  const port = String(await freePort())
  const here = (code: string) => code.replaceAll('4800', port)
  const [, deskLine = ''] = /^(const desk = .*)$/m.exec(twoLines) ?? []
  const [, serverLine = ''] = /^(const server = .*)$/m.exec(twoLines) ?? []
  const serverCode = whole.replace(/^const server = .*$/m, () => `${deskLine}\n${serverLine}`)
  expect([deskCode, serverCode, commands].map(code => code.includes('4800'))).toEqual([true, true, true])

  // Where the packages are found, as in a folder that they were installed in.
  const folder = await mkdtemp(join(root, 'node_modules/.team-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'desk.js'), here(deskCode))
  await writeFile(join(folder, 'server.js'), here(serverCode))
  const start = async (file: string, ...args: string[]): Promise<string> => {
    const program = await programOf(pathToFileURL(join(folder, file)))
    const child = spawn(process.execPath, [program, ...args], { cwd: folder, env: { ...process.env, ...tokens } })
    onTestFinished(() => void child.kill())
    return address(child)
  }
  expect(await start('desk.js')).toBe(`http://127.0.0.1:${port}/`)
  const url = await start('server.js', '--http=0')

  const client = new Client({ name: 'one that cannot ask', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  onTestFinished(() => client.close())
  const result = client.callTool({ name: 'clear_notes' })

  const [list = '', answer = ''] = commands.split(/\n(?=curl)/)
  const sh = async (command: string) =>
    JSON.parse(
      (await run('sh', ['-c', here(command).replace('curl', 'curl -s')], { env: { ...process.env, ...tokens } }))
        .stdout,
    )
  await expect.poll(async () => (await sh(list)).asks.length, { timeout: 15_000 }).toBe(1)
  const { asks } = await sh(list)
  expect(asks[0]).toMatchObject({ server: 'notes', message: 'Remove 2 notes?', destructive: true })
  await sh(answer.replace('<session>', asks[0].session).replace('<id>', asks[0].id))
  expect((await result).content).toEqual([{ type: 'text', text: '{"removed":2}' }])
})

/** The first address that a process prints. */
function address(child: ChildProcess): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    const hear = (part: unknown) => {
      said += part
      const [found] = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(said) ?? []
      if (found !== undefined && said.slice(said.indexOf(found) + found.length) !== '') resolve(found)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('close', code => reject(new Error(`It ended with ${code}: ${said}`)))
  })
}
