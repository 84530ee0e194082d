// Files from the page of a widget: what a token is good for, over real HTTP, and what it is not.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ClientCapabilities } from '../../src/call/incoming.js'
import { type FileSchema, file, files, type UploadedFile } from '../../src/files/index.js'
import { type BeckonServer, createServer } from '../../src/index.js'
import { createTestClient, createTestClock, type TestAsk, type TestWire } from '../../src/test/index.js'
import { readyWidgets, uploadWidget } from '../../src/widgets/ready/index.js'

const pdf = '%PDF-1.7\nhello'
const ui = { mimeTypes: ['text/html;profile=mcp-app'], elicitation: {} }
const shows: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  extensions: { 'io.modelcontextprotocol/ui': ui, 'io.modelcontextprotocol/tasks': {} },
}
const closing: (() => Promise<unknown>)[] = []
let path: string

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'beckon-uploads-'))
  closing.push(() => rm(path, { recursive: true, force: true }))
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** What the page of the widget is given about one field. */
interface Field {
  readonly name: string
  readonly token: string
}

/** What the page of a widget does. */
class Frame {
  readonly url: string
  readonly fields: readonly Field[]
  readonly connect: string

  constructor({ connect, data }: { connect: string; data: { url: string; fields: readonly Field[] } }) {
    this.url = data.url
    this.fields = data.fields
    this.connect = connect
  }

  async send(body: BodyInit | undefined, { query = '', headers = {}, field = 0, name = 'report.pdf' } = {}) {
    const { name: wanted = '', token = '' } = this.fields[field] ?? {}
    const response = await fetch(`${this.url}?field=${wanted}${query}`, {
      method: 'POST',
      headers: { origin: 'null', 'x-beckon-upload': token, 'x-file-name': encodeURIComponent(name), ...headers },
      ...(body !== undefined && { body }),
    })
    const said = (await response.json()) as { id?: string; problem?: string; files?: object[] }
    return { status: response.status, cors: response.headers.get('access-control-allow-origin'), ...said }
  }
}

type Answer = (frame: Frame, ask: TestAsk) => Promise<object | 'decline'>

interface Options {
  readonly capabilities?: ClientCapabilities
  readonly wire?: TestWire
  readonly attempts?: number
  readonly clock?: ReturnType<typeof createTestClock>
}

/** Calls a tool that asks for files by the widget. `answers` are what its pages do, one after the other. */
async function call(schema: FileSchema | object, answers: Answer[], options: Options = {}) {
  const { capabilities = shows, attempts, ...more } = options
  const server: BeckonServer = createServer({
    name: 'claims',
    version: '1.0.0',
    identify: request => /\bas=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1],
    files: files({ to: path }),
    widgets: readyWidgets,
  })
  let given: unknown
  server.tool('claim', { task: 'optional' }, async (_input, ctx) => {
    const ask = { question: 'The report, please.', schema: schema as FileSchema, widget: uploadWidget }
    given = await ctx.elicit({ ...ask, ...(attempts !== undefined && { attempts }) })
    return given === null ? 'nothing' : 'thanks'
  })
  await server.listen({ port: 0 })
  const asked: TestAsk[] = []
  const failures: unknown[] = []
  const client = createTestClient(server, {
    principal: 'ana',
    capabilities,
    ...more,
    answer: async ask => {
      asked.push(ask)
      const widget = widgetsIn(client.messages.map(({ message }) => message)).at(-1)
      const frame = widget === undefined ? (undefined as unknown as Frame) : new Frame(widget)
      const answer = await answers
        .shift()?.(frame, ask)
        .catch((error: unknown) => {
          failures.push(error)
        })
      return (answer ?? 'decline') as never
    },
  })
  closing.push(
    () => server.close(),
    () => client.close(),
  )
  const { content, isError } = await client.callTool('claim')
  for (const failure of failures) throw failure
  const text = (content[0] as { text?: string } | undefined)?.text
  return { given, text, isError: isError === true, asked, server, client }
}

/** Every widget that a message names. */
function widgetsIn(message: unknown): ConstructorParameters<typeof Frame>[0][] {
  if (typeof message !== 'object' || message === null) return []
  return Object.entries(message).flatMap(([key, inner]) => (key === 'beckon/widget' ? [inner] : widgetsIn(inner)))
}

const report = file({ maxBytes: 1_000, types: ['application/pdf'] })

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += Buffer.from(chunk).toString()
  return text
}

describe.each<TestWire>(['push', 'rounds', 'tasks'])('a file from the page of a widget, on %s', wire => {
  it('reaches the handler, with its type by content, and the client has its id alone', async () => {
    const send: Answer = async frame => {
      const { id = '' } = await frame.send(pdf, { name: '../../etc/report.pdf' })
      return { file: id }
    }
    const { given, text, client } = await call(report, [send], { wire })
    expect(text).toBe('thanks')
    const { stream, name, type, size } = given as UploadedFile
    expect({ name, type, size }).toEqual({ name: 'report.pdf', type: 'application/pdf', size: pdf.length })
    expect(await textOf(stream())).toBe(pdf)
    expect(JSON.stringify(client.messages)).not.toContain('hello')
    expect(JSON.stringify(client.messages)).not.toContain('etc/report')
  })
})

it('takes several, and of what is there those that the answer names', async () => {
  const send: Answer = async frame => {
    const sent = []
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) sent.push(await frame.send(pdf, { name }))
    await frame.send(undefined, { query: `&remove=${sent[1]?.id}` })
    expect((await frame.send(undefined, { query: '&list' })).files).toMatchObject([
      { name: 'a.pdf' },
      { name: 'c.pdf' },
    ])
    expect(await frame.send(undefined, { query: '&list', field: 1 })).toMatchObject({ files: [] })
    return { photos: `${sent[2]?.id}` }
  }
  const schema = {
    type: 'object',
    properties: { photos: file({ maxBytes: 1_000, many: 3 }), cover: report },
    required: ['photos'],
  }
  const { given } = await call(schema, [send])
  expect(given).toMatchObject({ photos: [{ name: 'c.pdf' }] })
  expect(given).not.toHaveProperty('cover')
})

it('names the one origin that the page sends to, in the ask and in the policy of its resource', async () => {
  let connect = ''
  const note: Answer = async frame => {
    connect = frame.connect
    expect(new URL(frame.url).origin).toBe(connect)
    return 'decline'
  }
  const { client } = await call(report, [note])
  const policyOf = async (uri: string) => {
    const { contents } = await client.request('resources/read', { uri })
    return (contents as { _meta: unknown }[])[0]?._meta
  }
  expect(await policyOf(uploadWidget.uri)).toMatchObject({ ui: { csp: { connectDomains: [connect] } } })
  expect(await policyOf('ui://beckon/beckon-list')).toMatchObject({ ui: { csp: { connectDomains: [] } } })
})

describe('what a token is not good for', () => {
  it('another ask, another field, or none at all', async () => {
    let first: Frame | undefined
    const keep: Answer = async frame => {
      first = frame
      const { id = '' } = await frame.send(pdf)
      const cover = frame.fields[1]?.token ?? ''
      const wrongs = [
        { headers: { 'x-beckon-upload': cover } },
        { headers: { 'x-beckon-upload': '' } },
        { headers: { 'x-beckon-upload': 'a'.repeat(32) } },
        { headers: { 'x-beckon-upload': cover }, query: '&list' },
        { headers: { 'x-beckon-upload': cover }, query: `&remove=${id}` },
      ]
      for (const wrong of wrongs)
        expect(await frame.send(pdf, wrong)).toMatchObject({
          status: 403,
          problem: 'This upload is not yours, or is over.',
        })
      return { report: id }
    }
    const schema = { type: 'object', properties: { report, cover: report }, required: ['report'] }
    await call(schema, [keep])
    const second: Answer = async frame => {
      const stolen = { headers: { 'x-beckon-upload': first?.fields[0]?.token ?? '' } }
      expect(await frame.send(pdf, stolen)).toMatchObject({ status: 403 })
      return 'decline'
    }
    await call(schema, [second])
    expect(await readdir(path)).toHaveLength(1)
  })

  it('anything once the ask is over: answered, declined, or out of time', async () => {
    const frames: Frame[] = []
    const accept: Answer = async frame => {
      frames.push(frame)
      return { file: (await frame.send(pdf)).id ?? '' }
    }
    const decline: Answer = async frame => {
      frames.push(frame)
      await frame.send(pdf)
      return 'decline'
    }
    const answered = await call(report, [accept])
    const declined = await call(report, [decline])
    expect([answered.text, declined.text]).toEqual(['thanks', 'nothing'])
    for (const frame of frames)
      for (const query of ['', '&list', '&remove=x'])
        expect(await frame.send(pdf, { query })).toMatchObject({ status: 403 })
    // What was declined is gone.
    expect(await readdir(path)).toHaveLength(1)
    const clock = createTestClock()
    const late: Answer = async frame => {
      await clock.advance(61 * 60 * 1000)
      expect(await frame.send(pdf)).toMatchObject({ status: 403 })
      return 'decline'
    }
    await call(report, [late], { clock })
  })

  it('a page of another site, which has none: it gets no cookie along, and nothing but a no', async () => {
    const look: Answer = async frame => {
      const [{ name = '' } = {}] = frame.fields
      const preflight = await fetch(`${frame.url}?field=${name}`, {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      })
      expect(preflight.status).toBe(204)
      // With a star, a browser sends no cookies and shows no answer that came with some.
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
      expect(preflight.headers.get('access-control-allow-credentials')).toBe(null)
      // The form of our own page, and who is signed in, count for nothing here.
      expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type, x-file-name, x-beckon-upload')
      const forged = await fetch(`${frame.url}?field=${name}`, {
        method: 'POST',
        headers: { origin: 'https://evil.example', cookie: 'as=ana', 'x-beckon-form': 'x' },
        body: pdf,
      })
      expect(forged.status).toBe(403)
      expect(forged.headers.get('access-control-allow-origin')).toBe(null)
      expect((await fetch(frame.url.replace('/files/', '/go/'), { method: 'OPTIONS' })).status).toBe(405)
      return 'decline'
    }
    await call(report, [look])
    expect(await readdir(path)).toEqual([])
  })

  it('what is too large, of another type by its content, or empty', async () => {
    const look: Answer = async frame => {
      expect(await frame.send(`${pdf}${'x'.repeat(1_000)}`)).toMatchObject({ status: 413, cors: '*' })
      expect(await frame.send('<svg onload=alert(1)>', { name: 'report.pdf' })).toMatchObject({ status: 415 })
      expect(await frame.send('GIF89a%PDF-1.7')).toMatchObject({ status: 415 })
      expect((await frame.send('')).status).toBeGreaterThanOrEqual(400)
      return 'decline'
    }
    await call(report, [look])
    expect(await readdir(path)).toEqual([])
  })

  it('a second file in the place of the one that the person named', async () => {
    const swap: Answer = async frame => {
      const { id = '' } = await frame.send(pdf)
      // Somebody else who has the token.
      await frame.send(`${pdf} of somebody else`)
      return { file: id }
    }
    const again: Answer = async (frame, ask) => {
      expect('message' in ask && ask.message).toContain('A file is needed here.')
      return { file: (await frame.send(`${pdf} again`)).id ?? '' }
    }
    const { given } = await call(report, [swap, again])
    expect(await textOf((given as UploadedFile).stream())).toBe(`${pdf} again`)
    expect(await readdir(path)).toHaveLength(1)
  })
})

it('refuses an answer that names what is not there, and a file of another ask', async () => {
  let other = ''
  const send: Answer = async frame => {
    other = (await frame.send(pdf)).id ?? ''
    return { file: other }
  }
  await call(report, [send])
  const { isError } = await call(report, [async () => ({ file: other }), async () => ({ file: '../x' })], {
    attempts: 2,
  })
  expect(isError).toBe(true)
})

it('asks again with what was uploaded, where the schema does not take it', async () => {
  const schema = z.object({
    photos: z
      .array(z.custom<UploadedFile>())
      .min(2)
      .meta(file({ maxBytes: 1_000, many: 3 })),
  })
  const one: Answer = async frame => ({ photos: (await frame.send(pdf, { name: 'a.pdf' })).id ?? '' })
  const two: Answer = async frame => {
    const [{ id: kept } = { id: '' }] = ((await frame.send(undefined, { query: '&list' })).files ?? []) as {
      id: string
    }[]
    const { id } = await frame.send(pdf, { name: 'b.pdf' })
    return { photos: `${kept} ${id}` }
  }
  const { given } = await call(schema, [one, two])
  expect(given).toMatchObject({ photos: [{ name: 'a.pdf' }, { name: 'b.pdf' }] })
})

describe('where the widget cannot be', () => {
  it('sends a person to the page who sends the plain form as it is', async () => {
    const kinds: string[] = []
    const note: Answer = async (_frame, ask) => {
      kinds.push(ask.kind)
      return ask.kind === 'form' ? {} : 'decline'
    }
    expect((await call(report, [note, note])).text).toBe('nothing')
    expect(kinds).toEqual(['form', 'url'])
  })

  it('sends them to the page at once where no widget is shown, and where there are fields beside the files', async () => {
    const decline: Answer = async () => 'decline'
    const plain = await call(report, [decline], { capabilities: { elicitation: { form: {}, url: {} } } })
    expect(plain.asked.map(({ kind }) => kind)).toEqual(['url'])
    const schema = { type: 'object', properties: { reason: { type: 'string' }, report } }
    const mixed = await call(schema, [decline])
    expect(mixed.asked.map(({ kind }) => kind)).toEqual(['url'])
  })

  it('says so to an author who gives it something else than files', async () => {
    const { text, isError } = await call({ type: 'object', properties: { a: { type: 'string' } } }, [])
    expect(isError).toBe(true)
    expect(text).toContain('`file()`')
  })
})
