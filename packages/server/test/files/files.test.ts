// Uploads over real HTTP: who may send what, how much of it, and what is left of what was not finished.
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import {
  type FilePlace,
  type FileSchema,
  type FilesOptions,
  file,
  files,
  type UploadedFile,
} from '../../src/files/index.js'
import { type BeckonServer, createServer } from '../../src/index.js'
import { deferred } from '../../src/runtime/deferred.js'
import { createTestClient, createTestClock, createTestDesk, type TestClock } from '../../src/test/index.js'

const pdf = '%PDF-1.7\nhello'
const closing: (() => Promise<unknown>)[] = []
let path: string

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'beckon-files-'))
  closing.push(() => rm(path, { recursive: true, force: true }))
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** What the tool made of it. */
let given: unknown

interface Asked {
  /** The first page, as someone with a browser gets it. */
  readonly page: Page
  readonly server: BeckonServer
  /** What the tool says in the end. */
  readonly result: Promise<{ content: { text?: string }[]; isError?: boolean }>
  /** Ends the client's part: the person agreed to go to the page. */
  agree(): void
  /** The page of the second time that it is asked. */
  again(): Promise<{ page: Page; message: string }>
}

/** One tool that asks for a file, called by ana, whose browser has opened the link. */
async function ask(
  schema: FileSchema | object,
  options: Partial<FilesOptions> = {},
  clock?: TestClock,
): Promise<Asked> {
  given = undefined
  const server = createServer({
    name: 'claims',
    version: '1.0.0',
    identify: request => /\bas=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1],
    files: files({ to: path, ...options }),
  })
  server.tool('claim', {}, async (_input, ctx) => {
    given = await ctx.elicit({ question: 'The report, please.', schema: schema as FileSchema })
    return given === null ? 'nothing' : 'thanks'
  })
  await server.listen({ port: 0 })
  closing.push(() => server.close())
  const opened = deferred<string>()
  const openedAgain = deferred<{ url: string; message: string }>()
  const agreed = deferred<'accept'>()
  const client = createTestClient(server, {
    principal: 'ana',
    ...(clock && { clock }),
    answer: sent => {
      const { message } = sent
      const url = sent.kind === 'url' ? sent.url : sent.kind
      if (message !== 'The report, please.') openedAgain.resolve({ url, message })
      opened.resolve(url)
      return agreed.promise
    },
  })
  closing.push(() => client.close())
  const result = client.callTool('claim')
  const link = await Promise.race([
    opened.promise,
    result.then(({ content }) => Promise.reject(new Error(content[0]?.text))),
  ])
  const again = async () => {
    const { url, message } = await openedAgain.promise
    return { page: await Page.open(url, 'ana'), message }
  }
  return { page: await Page.open(link, 'ana'), server, result, agree: () => agreed.resolve('accept'), again }
}

/** Someone at the page. */
class Page {
  readonly link: string
  readonly html: string
  readonly cookie: string

  constructor(link: string, html: string, cookie: string) {
    this.link = link
    this.html = html
    this.cookie = cookie
  }

  static async open(link: string, as: string): Promise<Page> {
    const response = await fetch(link, { headers: { cookie: `as=${as}` } })
    const own = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    return new Page(link, await response.text(), `as=${as}; ${own}`)
  }

  get token(): string {
    return /name="beckon" value="([^"]+)"/.exec(this.html)?.[1] ?? ''
  }

  get uploadUrl(): string {
    return this.link.replace('/go/', '/files/')
  }

  async upload(body: BodyInit, { name = 'report.pdf', field = 'file', headers = {} } = {}) {
    const response = await fetch(`${this.uploadUrl}?field=${field}`, {
      method: 'POST',
      headers: {
        cookie: this.cookie,
        'x-beckon-form': this.token,
        'x-file-name': encodeURIComponent(name),
        ...headers,
      },
      body,
      duplex: 'half',
    } as RequestInit)
    return { status: response.status, ...((await response.json()) as { id?: string; name?: string; problem?: string }) }
  }

  async remove(id: string, field = 'file'): Promise<void> {
    const headers = { cookie: this.cookie, 'x-beckon-form': this.token }
    await fetch(`${this.uploadUrl}?field=${field}&remove=${id}`, { method: 'POST', headers, body: '' })
  }

  async send(more: Record<string, string> = { do: 'send' }): Promise<{ status: number; html: string }> {
    const body = new URLSearchParams({ beckon: this.token, ...more })
    const response = await fetch(this.link, { method: 'POST', headers: { cookie: this.cookie }, body })
    return { status: response.status, html: await response.text() }
  }
}

async function read(uploaded: UploadedFile): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of uploaded.stream()) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const one = file({ maxBytes: 1_000, types: ['application/pdf'] })

describe('a file', () => {
  it('gets from a page of ours to its place, and to the handler as a name, a type, a size, a digest and a stream', async () => {
    const { page, result, agree } = await ask(one)
    expect(await page.upload(pdf)).toMatchObject({ status: 200, name: 'report.pdf' })
    expect((await page.send()).html).toContain('Done')
    agree()
    expect((await result).content[0]?.text).toBe('thanks')
    const uploaded = given as UploadedFile
    const digest = createHash('sha256').update(pdf).digest('base64url')
    expect(uploaded).toMatchObject({ name: 'report.pdf', type: 'application/pdf', size: pdf.length, digest })
    expect(await read(uploaded)).toBe(pdf)
    expect(await readdir(path)).toEqual([uploaded.id])
    await uploaded.delete()
    expect(await readdir(path)).toEqual([])
  })

  it('comes beside plain fields, and several at once, and what is missing is said', async () => {
    const { page, result, agree } = await ask({
      type: 'object',
      properties: {
        note: { type: 'string' },
        photos: file({ maxBytes: 1_000, many: 2 }),
        extra: file({ maxBytes: 9 }),
      },
      required: ['note', 'photos'],
    })
    expect(await page.send()).toMatchObject({ status: 422, html: expect.stringContaining('A file is needed here.') })
    await page.upload('a', { field: 'photos', name: 'a.txt' })
    await page.upload('b', { field: 'photos', name: 'b.csv' })
    expect(await page.upload('c', { field: 'photos' })).toMatchObject({
      status: 409,
      problem: 'At most 2 files are taken.',
    })
    expect(await page.upload('c', { field: 'secrets' })).toMatchObject({ status: 400 })
    await page.send({ do: 'send', 'field-note': 'Two of them' })
    agree()
    await result
    expect(given).toMatchObject({
      note: 'Two of them',
      photos: [
        { name: 'a.txt', type: 'text/plain' },
        { name: 'b.csv', type: 'text/csv' },
      ],
    })
    expect(given).not.toHaveProperty('extra')
  })

  it('replaces the one before, which is removed, and can be taken back', async () => {
    const { page } = await ask(one)
    await page.upload(`${pdf} 1`)
    const second = await page.upload(`${pdf} 2`)
    expect(await readdir(path)).toEqual([second.id])
    await page.remove(second.id ?? '')
    expect(await readdir(path)).toEqual([])
  })

  it('is declined on the page, and nothing is kept', async () => {
    const { page, result, agree } = await ask(one)
    await page.upload(pdf)
    await page.send({ do: 'decline' })
    agree()
    expect((await result).content[0]?.text).toBe('nothing')
    expect(await readdir(path)).toEqual([])
  })
})

const report = file({ maxBytes: 1_000, types: ['application/pdf'] })
const libraries = {
  zod: z.object({
    reason: z.string().regex(/^[A-Z]/, 'Begin with a capital letter.'),
    report: z.custom<UploadedFile>().meta(report),
  }),
  valibot: toStandardJsonSchema(
    v.object({
      reason: v.pipe(v.string(), v.regex(/^[A-Z]/, 'Begin with a capital letter.')),
      report: v.pipe(
        v.custom<UploadedFile>(() => true),
        v.metadata({ ...report }),
      ),
    }),
  ),
  arktype: type({
    reason: type(/^[A-Z]/).configure({ message: 'Begin with a capital letter.' }),
    report: type('object').configure({ ...report } as object),
  }),
}

describe.each(Object.entries(libraries))('a file in a schema of %s', (_, schema) => {
  it('comes with what the schema makes of the rest; what does not fit is asked for again with everything there', async () => {
    const { page, result, agree, again } = await ask(schema)
    await page.upload(pdf, { field: 'report' })
    await page.send({ do: 'send', 'field-reason': 'small' })
    agree()
    const second = await again()
    expect(second.message).toContain('Begin with a capital letter.')
    expect(second.page.html).toContain('report.pdf')
    expect(second.page.html).toContain('value="small"')
    await second.page.send({ do: 'send', 'field-reason': 'Large' })
    expect((await result).content[0]?.text).toBe('thanks')
    expect(given).toMatchObject({ reason: 'Large', report: { name: 'report.pdf', size: pdf.length } })
    expect(await readdir(path)).toHaveLength(1)
  })
})

describe('a file in a schema that validates', () => {
  const zodded = z.object({ report: z.custom<UploadedFile>(() => false, 'report.pdf is not signed.').meta(report) })

  it('is removed when it is never taken, and what it is called is not told', async () => {
    const { page, agree, again } = await ask(zodded)
    await page.upload(pdf, { field: 'report' })
    await page.send()
    agree()
    const second = await again()
    expect(second.message).toContain('This file is not valid.')
    expect(second.message).not.toContain('report.pdf')
    await second.page.send({ do: 'decline' })
    await vi.waitFor(async () => expect(await readdir(path)).toEqual([]))
  })

  it('may be alone, or optional, or many', async () => {
    const bare = await ask(z.custom<UploadedFile>().meta(one))
    await bare.page.upload(pdf)
    await bare.page.send()
    bare.agree()
    await bare.result
    expect(given).toMatchObject({ name: 'report.pdf' })
    const several = z.object({
      all: z.array(z.custom<UploadedFile>()).meta(file({ maxBytes: 10, many: true })),
      none: z.custom<UploadedFile>().meta(one).optional(),
    })
    const many = await ask(several)
    await many.page.upload('a', { field: 'all' })
    await many.page.send()
    many.agree()
    await many.result
    expect(given).toMatchObject({ all: [{ size: 1 }] })
    expect(given).not.toHaveProperty('none')
  })
})

describe('an upload is refused, and nothing of it is kept,', () => {
  it.each([
    [
      'a program that is called a document',
      'MZ\x90\0',
      'report.pdf',
      415,
      'This is application/x-msdownload, by its content.',
    ],
    ['HTML that is called a document', '<!DOCTYPE html><script>alert(1)</script>', 'a.pdf', 415, 'This is text/html'],
    ['SVG', '<svg onload=alert(1)>', 'a.pdf', 415, 'image/svg+xml'],
    ['nothing at all', '', 'a.pdf', 415, 'This is text/plain'],
    ['more than it may be', `${pdf}${'x'.repeat(2_000)}`, 'a.pdf', 413, 'at most 1000 bytes are taken'],
  ])('when it is %s', async (_, body, name, status, sentence) => {
    const { page } = await ask(one)
    expect(await page.upload(body, { name })).toMatchObject({ status, problem: expect.stringContaining(sentence) })
    expect(await readdir(path).catch(() => [])).toEqual([])
  })

  it('when it is more than it says it is', async () => {
    const { page } = await ask(one)
    const endless = new ReadableStream({
      pull: stream => stream.enqueue(new TextEncoder().encode(`${pdf}${'x'.repeat(10_000)}`)),
    })
    // Where the connection is closed before everything was sent, the answer may not arrive.
    const refused = await page.upload(endless).catch(() => ({ status: 413 }))
    expect(refused.status).toBe(413)
    expect(await readdir(path)).toEqual([])
  })

  it('when the scan says so, or fails', async () => {
    const scan = async (uploaded: UploadedFile) => {
      if ((await read(uploaded)).includes('broken')) throw new Error('The scanner is at 10.0.0.7')
      return 'It has a virus.'
    }
    const { page } = await ask(one, { scan })
    expect(await page.upload(pdf)).toMatchObject({ status: 422, problem: 'It has a virus.' })
    const failed = await page.upload(`${pdf} broken`)
    expect(failed).toMatchObject({ status: 503 })
    expect(failed.problem).not.toContain('10.0.0.7')
    expect(await readdir(path)).toEqual([])
  })

  it('when somebody else sends it, with the link of ana, or without the token of its page', async () => {
    const { page } = await ask(one)
    const bob = await Page.open(page.link, 'bob')
    expect(bob.html).toContain('This link is not yours')
    expect(await new Page(page.link, page.html, page.cookie.replace('ana', 'bob')).upload(pdf)).toMatchObject({
      status: 403,
    })
    expect(await page.upload(pdf, { headers: { 'x-beckon-form': 'guessed' } })).toMatchObject({ status: 403 })
    expect(await page.upload(pdf, { headers: { 'sec-fetch-site': 'cross-site' } })).toMatchObject({ status: 403 })
    const unknown = new Page(page.link.replace(/go\/.{5}/, 'go/other'), page.html, page.cookie)
    expect(await unknown.upload(pdf)).toMatchObject({ status: 404 })
    expect(await readdir(path).catch(() => [])).toEqual([])
  })

  it('when it is after the end', async () => {
    const { page, result, agree } = await ask(one)
    await page.upload(pdf)
    await page.send()
    agree()
    await result
    expect(await page.upload(pdf)).toMatchObject({ status: 410 })
    expect(await readdir(path)).toHaveLength(1)
  })

  /** Begins an upload and does not end it. */
  function begin(page: Page): Socket {
    const { hostname, port, pathname } = new URL(page.uploadUrl)
    const socket = connect(Number(port), hostname)
    const head = [
      `POST ${pathname}?field=file HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Cookie: ${page.cookie}`,
      `X-Beckon-Form: ${page.token}`,
      'Content-Length: 90000',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${'y'.repeat(5_000)}`)
    return socket
  }

  it('when it stalls', async () => {
    const { page } = await ask(file({ maxBytes: 100_000 }), { stallMs: 50 })
    const socket = begin(page)
    const said = await new Promise<string>(resolve => socket.once('data', data => resolve(String(data))))
    socket.destroy()
    expect(said).toMatch(/^HTTP\/1.1 408/)
    expect(await readdir(path)).toEqual([])
  })

  it('when whoever sends it goes away', async () => {
    const { page } = await ask(file({ maxBytes: 100_000 }))
    const socket = begin(page)
    await expect.poll(() => readdir(path)).toEqual([expect.stringMatching(/\.part$/)])
    socket.destroy()
    await expect.poll(() => readdir(path)).toEqual([])
  })
})

it.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ana\\report.pdf', 'report.pdf'],
  ['..', 'file'],
  ['.bashrc', 'bashrc'],
  ['a\u202efdp.exe', 'a[U+202E]fdp.exe'],
  ['a\n\0b', 'a [U+0000]b'],
  ['x'.repeat(5_000), 'x'.repeat(200)],
])('a file has a name without a path: %#', async (name, expected) => {
  const { page } = await ask(one)
  expect(await page.upload(pdf, { name })).toMatchObject({ status: 200, name: expected })
  expect((await readdir(path)).every(kept => /^[\w-]+$/.test(kept))).toBe(true)
})

it('removes what was uploaded and never sent, some time after its link', async () => {
  const clock = createTestClock(Date.now())
  const { page } = await ask(one, {}, clock)
  await page.upload(pdf)
  expect(await readdir(path)).toHaveLength(1)
  for (let minutes = 0; minutes < 150; minutes += 10) await clock.advance(10 * 60_000)
  await expect.poll(() => readdir(path)).toEqual([])
})

it('takes 100 MB without holding it', async () => {
  const megabyte = new Uint8Array(1024 * 1024).fill(120)
  let bytes = 0
  let most = 0
  const held = () => process.memoryUsage().arrayBuffers
  const place: FilePlace = {
    async put(_id, chunks) {
      for await (const chunk of chunks) {
        bytes += chunk.length
        most = Math.max(most, held())
      }
    },
    get: () => new ReadableStream(),
    delete: async () => {},
  }
  const { page, result, agree } = await ask(file({ maxBytes: 200 * 1024 * 1024 }), { to: place })
  const before = held()
  let sent = 0
  const body = new ReadableStream({
    pull: stream => (sent++ < 100 ? stream.enqueue(megabyte) : stream.close()),
  })
  expect(await page.upload(body)).toMatchObject({ status: 200 })
  expect(bytes).toBe(100 * 1024 * 1024)
  expect(most - before).toBeLessThan(40 * 1024 * 1024)
  await page.send()
  agree()
  await result
  expect(given).toMatchObject({ size: 100 * 1024 * 1024, type: 'text/plain' })
})

it('asks nobody where there is no place for files, and where no page can be opened', async () => {
  const server = createServer({ name: 's', version: '1.0.0' })
  server.tool('t', {}, async (_input, ctx) => String(await ctx.elicit({ question: 'A file?', schema: one })))
  const client = createTestClient(server)
  expect((await client.callTool('t')).content[0]?.text).toContain('needs a place for files')
  await client.close()
  await server.close()
  const other = createServer({ name: 's', version: '1.0.0', files: files({ to: path }) })
  other.tool('t', {}, async (_input, ctx) => String(await ctx.elicit({ question: 'A file?', schema: one })))
  const plain = createTestClient(other, { capabilities: { elicitation: { form: {} } } })
  await expect(plain.callTool('t')).rejects.toThrow('elicitation.url')
  expect(plain.asked).toEqual([])
  await plain.close()
  await other.close()
})

it.each([{ audience: { groups: ['leads'] } }, { quorum: 2 }, { person: 'verified' }] as const)(
  'is not asked for where somebody else has to agree, or a device: %j',
  async terms => {
    const server = createServer({
      name: 'claims',
      version: '1.0.0',
      files: files({ to: path }),
      desk: createTestDesk(),
    })
    closing.push(() => server.close())
    server.tool('send', {}, async (_input, ctx) => {
      await ctx.elicit({ question: 'The report, please.', schema: file({ maxBytes: 1_000 }), ...terms })
    })
    await server.listen({ port: 0 })
    const asked = vi.fn(() => 'accept' as const)
    const client = createTestClient(server, { principal: 'ana', answer: asked })
    closing.push(() => client.close())
    expect(JSON.stringify(await client.callTool('send'))).toContain('Files are sent by the caller')
    expect(asked).not.toHaveBeenCalled()
  },
)
