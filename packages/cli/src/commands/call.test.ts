import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'beckon'
import { createTestDesk } from 'beckon/test'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { askingServer } from '../../test/asking-server.js'
import { askingOnStdio, runBeckon } from '../../test/beckon.js'
import { runHere } from '../../test/run-here.js'

const onStdio = ['--', ...askingOnStdio]
const patient = 120_000
const server = askingServer()
let url = ''
let folder = ''

beforeAll(async () => {
  url = (await server.listen({ port: 0 })).url
  folder = await mkdtemp(join(tmpdir(), 'beckon-call-'))
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

async function answers(file: unknown): Promise<string[]> {
  const path = join(folder, `${crypto.randomUUID()}.json`)
  await writeFile(path, JSON.stringify(file))
  return ['--answers', path]
}

describe.each(['2025', '2026'])('beckon call without a terminal, %s', era => {
  it('takes arguments as text, as JSON and as one object', { timeout: patient }, async () => {
    const words = await runHere(['call', url, 'echo', 'a=1', 'b:=2', 'c==x', '--era', era, '--json'])
    expect(JSON.parse(words.stdout).structuredContent).toEqual({ a: '1', b: 2, c: '=x' })
    expect(words).toMatchObject({ code: 0, stderr: '' })
    const object = await runHere(['call', url, 'echo', '{"a":[1]}', '--era', era])
    expect(object).toMatchObject({ code: 0, stdout: '{"a":[1]}\n' })
  })

  it('cancels what nobody answers, and says how to', { timeout: patient }, async () => {
    const { code, stdout, stderr } = await runHere(['call', url, 'erase', '--era', era])
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'Kept.\n' })
    expect(stderr).toContain('--answers')
  })

  it('answers from a file, by message and by question', { timeout: patient }, async () => {
    const yes = await answers({ asks: [{ message: 'Erase' }] })
    expect(await runHere(['call', url, 'erase', '--era', era, ...yes])).toMatchObject({
      code: 0,
      stdout: 'Erased.\n',
    })
    const no = await answers({ asks: [{ message: 'Erase', action: 'decline' }] })
    expect(await runBeckon(['call', 'erase', '--era', era, ...no, ...onStdio])).toMatchObject({
      code: 3,
      stdout: 'Kept.\n',
    })
    const because = await answers({ asks: [{ message: 'Tell us', action: 'decline', reason: 'Too nosy.' }] })
    const declined = await runHere(['call', url, 'every_kind', '--era', era, ...because])
    expect(JSON.parse(declined.stdout)).toMatchObject({ action: 'decline', reason: 'Too nosy.' })
    const sure = await answers({ asks: [{ message: 'Sure', action: 'decline', reason: 'Not on a Friday.' }] })
    const told = await runHere(['call', url, 'outcome', '--era', era, ...sure])
    expect(JSON.parse(told.stdout)).toEqual({ action: 'decline', reason: 'Not on a Friday.' })
    const content = { name: 'Ada', mail: 'ada@shop.example', story: 'Once.', height: 1.8, extras: ['wifi'] }
    const fields = await answers({ fields: { ...content, unrelated: 1 } })
    const form = await runHere(['call', url, 'every_kind', '--era', era, ...fields])
    expect(JSON.parse(form.stdout)).toEqual({
      action: 'accept',
      content: { ...content, seats: 2, window: false, by: 'p' },
    })
    expect(form.code).toBe(0)
  })

  it('says which page a script agreed to visit', { timeout: patient }, async () => {
    const yes = await answers({ asks: [{ message: 'terms' }] })
    const { stdout, stderr } = await runHere(['call', url, 'visit', '--era', era, ...yes])
    expect(stdout).toBe('accept\n')
    expect(stderr).toBe('shop wants this page visited: https://shop.example/terms\n')
    const nobody = await runHere(['call', url, 'visit', '--era', era])
    expect(nobody.stderr).toContain('https://shop.example/terms')
  })

  it('sends no answer that does not fit', { timeout: patient }, async () => {
    const bad = await answers({ asks: [{ content: { name: 'A' } }] })
    const { code, stdout, stderr } = await runHere(['call', url, 'every_kind', '--era', era, ...bad])
    expect(JSON.parse(stdout).action).toBe('cancel')
    expect(stderr).toContain(`The answer 1 of "asks" in ${bad[1]} does not fit what shop asks: Tell us everything.`)
    expect(stderr).toContain('name: Enter at least 2 characters.')
    expect(stderr).toContain('by: one of "t" (Train), "p" (Plane)')
    expect(stderr).toContain('note: a text, optional')
    expect(code).toBe(3)

    const misnamed = await answers({ fields: { name: 'Ada' }, asks: [{ message: 'First', content: { name: 'one' } }] })
    const first = await runHere(['call', url, 'two', '--era', era, ...misnamed])
    expect(first.stderr).toContain('value: An answer is required.')
    expect(first.stderr).toContain('The form wants:\n  value: a text\n')
    expect(first.stderr).toContain('It does not ask for "name".')

    const wrong = { name: 'Ada', mail: 'nobody', story: 'Once.', height: 'tall', extras: ['wifi'] }
    const fields = await answers({ fields: wrong })
    const form = await runHere(['call', url, 'every_kind', '--era', era, ...fields])
    expect(form.code).toBe(3)
    expect(form.stderr).toContain(`What ${fields[1]} has in "fields" does not fit what shop asks`)
    expect(form.stderr).toContain('height: Enter a number.')
    expect(form.stderr).not.toMatch(/desk|tall/)
  })

  it('says that nobody was there where the server finds out that a script answered', { timeout: patient }, async () => {
    const yes = await answers({ asks: [{ message: 'Wipe' }] })
    const { code, stdout } = await runHere(['call', url, 'wipe', '--era', era, ...yes])
    expect([code, stdout]).toEqual([3, expect.stringMatching(/^Kept\..*no person has decided anything/s)])
  })

  it('says that a tool failed', { timeout: patient }, async () => {
    expect(await runHere(['call', url, 'fails', '--era', era])).toMatchObject({ code: 1, stdout: 'Out of stock.\n' })
  })

  it('says when the server refuses', { timeout: patient }, async () => {
    const { code, stderr } = await runHere(['call', url, 'nothing', '--era', era])
    expect(code).toBe(5)
    expect(stderr).toContain('Unknown tool')
  })
})

it('follows a task, and tells its progress', { timeout: patient }, async () => {
  const yes = await answers({ asks: [{ message: 'Finish?' }] })
  expect(await runHere(['call', url, 'long', '--era', '2026', ...yes])).toMatchObject({
    code: 0,
    stdout: 'Finished.\n',
  })
  const pushed = await runHere(['call', url, 'long', '--era', '2025', ...yes])
  expect(pushed).toMatchObject({ code: 0, stdout: 'Finished.\n' })
  expect(pushed.stderr).toContain('1/2 half way')
})

it('says where a call waits for an answer, beside its result', { timeout: patient }, async () => {
  const held = createServer({ name: 'bank', version: '1.0.0', desk: createTestDesk(), wait: 100 })
  held.tool('pay', { approval: { audience: { groups: ['board'] } } }, async (_input, ctx) =>
    (await ctx.confirm('Pay?')) ? 'Paid.' : 'Not paid.',
  )
  const at = (await held.listen({ port: 0 })).url
  onTestFinished(() => held.close())
  const { code, stdout, stderr } = await runHere(['call', at, 'pay', '--era', '2025'])
  // Whoever goes by the exit code goes on as if it were paid.
  expect(code).toBe(3)
  expect(stdout).toMatch(/^A person was asked: "Pay\?"\./)
  expect(stderr).toMatch(/^Waiting for an answer on the desk: https:\/\/desk\.test\/\S+\n$/)
})

it('tells progress in words, and in numbers where they are of something', { timeout: patient }, async () => {
  const busy = createServer({ name: 'busy', version: '1.0.0' })
  busy.tool('work', {}, async (_input, ctx) => {
    await ctx.progress(0.000001, undefined, 'Waiting for an answer.')
    await ctx.progress(1, 2, 'half way')
    return 'Done.'
  })
  const at = (await busy.listen({ port: 0 })).url
  onTestFinished(() => busy.close())
  const { stderr } = await runHere(['call', at, 'work', '--era', '2025'])
  expect(stderr).toBe('… Waiting for an answer.\n… 1/2 half way\n')
})

it('lists the tools when none is named', { timeout: patient }, async () => {
  const { code, stdout } = await runHere(['call', url])
  expect(code).toBe(0)
  expect(stdout).toContain('erase\n      Erase everything')
})

it.each([
  [['call'], 2, 'Which server?'],
  [['call', 'http://x', 'tool', 'word'], 2, 'name=text'],
  [['call', 'http://x', 'tool', 'a:={'], 2, 'JSON'],
  [['call', '--nonsense'], 2, '--help'],
  [['call', 'http://x', 'tool', '--era', '1999'], 2, '--era'],
  [['call', 'http://x', 'tool', '--header', 'nonsense'], 2, 'Name: value'],
  [['call', 'http://x', 'tool', '--answers', '/no/such/file'], 2, 'cannot be read'],
  [['call', 'no-such-program-here', 'tool'], 4, 'no program of that name'],
  [['call', 'http://127.0.0.1:20001/mcp', 'tool'], 4, 'Nothing listens there'],
  [['call', 'http://127.0.0.1:1/mcp', 'tool'], 4, 'Port 1 is one that no web client connects to'],
  [['nonsense'], 2, 'There is no command'],
])('ends %j with %i', { timeout: patient }, async (args, code, words) => {
  const { stderr, ...finished } = await runHere(args)
  expect(stderr).toContain(words)
  expect(finished).toEqual({ code, stdout: '' })
})

it('shows what a server wrote that did not start', { timeout: patient }, async () => {
  const script =
    'for (let line = 1; line < 40; line++) console.error("line " + line); console.error("\\u001b[2Jno such file")'
  const { code, stderr } = await runHere(['call', 'tool', '--', process.execPath, '-e', script])
  expect(code).toBe(4)
  expect(stderr).toContain('Connection closed. It wrote:')
  expect(stderr).toMatch(/\n {2}line 39\n {2}no such file\n$/)
  expect(stderr).not.toContain('line 20\n')
  const silent = await runHere(['call', 'tool', '--', process.execPath, '-e', ''])
  expect(silent.stderr).toContain('Run the command by itself')
})

it('has help for itself and for a command', { timeout: patient }, async () => {
  expect((await runBeckon([])).stdout).toContain('Usage: beckon <command>')
  expect((await runHere(['call', '--help'])).stdout).toContain('Exit codes')
})
