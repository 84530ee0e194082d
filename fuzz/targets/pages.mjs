// The pages of a server: signing in, uploads, long choices and links, as browsers send forms, cookies and files to them.
import { choices, createServer } from 'beckon'
import { choicePage } from 'beckon/choices'
import { credentials } from 'beckon/credentials'
import { file, files } from 'beckon/files'
import { z } from 'zod'
import { texts } from '../hostile.mjs'
import { callerOf } from '../in-process.mjs'
import { finding, judgeStatus } from '../judge.mjs'
import { garbled, garbledBytes } from '../mutate.mjs'

/** @typedef {import('../driver.mjs').Target} Target */
/** @typedef {import('../../faults/random.mjs').Random} Random */

const publicUrl = 'https://shop.example'
const secret = 'open sesame'
const pdf = '%PDF-1.7\nhello'

/** @type {Target} */
export const pages = {
  share: 2,
  atOnce: 4,
  honestEvery: 250,
  async open(findings) {
    const cities = choicePage(
      'cities',
      Array.from({ length: 500 }, (_, nth) => ({ value: `c${nth}`, label: `City <${nth}>` })),
    )
    const server = createServer({
      name: 'shop',
      version: '1.0.0',
      publicUrl,
      person: 'unchecked',
      choicePages: [cities],
      files: files({ to: forgetful() }),
      identify: request => request.headers.get('x-user') ?? undefined,
      onError: error => findings(`onError: ${error instanceof Error ? error.stack : String(error)}`),
    })
    const login = credentials({
      message: 'Sign in.',
      schema: z.object({ username: z.string().max(40), password: z.string() }),
      verify: ({ username, password }) => (password === secret ? { username } : null),
      attempts: 1_000_000,
    })
    server.tool('gated', login, {}, (_input, ctx) => ctx.text(`in as ${ctx.principal}`))
    server.tool('upload', {}, async (_input, ctx) => {
      const given = await ctx.elicit({ question: 'Which file?', schema: file({ maxBytes: 10_000 }) })
      return `${given?.name} ${given?.size}`
    })
    server.tool('choose', {}, async (_input, ctx) =>
      String(await ctx.elicit({ question: 'Where to?', schema: choices(cities, { title: 'City' }) })),
    )
    const tools = ['gated', 'upload', 'choose']

    /** @type {Map<string, Awaited<ReturnType<typeof visit>>>} */
    const theirs = new Map()
    /** @param {string} user @param {string} tool */
    async function visit(user, tool) {
      const caller = callerOf(server, user)
      const asked = await caller.asked(tool)
      const link = String(asked.params?.url)
      const response = await server.fetch(new Request(link, { headers: { 'x-user': user } }))
      const cookie = response.headers
        .getSetCookie()
        .map(set => set.split(';')[0])
        .join('; ')
      const html = await response.text()
      const token = /name="beckon" value="([^"]+)"/.exec(html)?.[1] ?? ''
      const headers = {
        'x-user': user,
        cookie,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      }
      return {
        link,
        html,
        token,
        headers,
        end: () => caller.result('tools/call', asked.answered({ action: 'accept' })),
      }
    }

    return {
      async attack(random) {
        const tool = random.pick(tools)
        const page = theirs.get(tool) ?? (await visit('mallory', tool))
        theirs.set(tool, page)
        const { url, ...init } = spoiled(random, page)
        let request
        try {
          request = new Request(url, init)
        } catch {
          return
        }
        const response = await server.fetch(request)
        const text = await response.text()
        judgeStatus(response.status, text, { url, headers: init.headers, body: String(init.body) })
        if (text.includes('<script>alert(1)')) throw finding('a page that runs what was sent', text, url)
      },
      async honest(nth) {
        const user = `honest${nth}`
        const signing = await visit(user, 'gated')
        await submit(server, signing, { 'field-username': 'ada', 'field-password': secret, do: 'send' })
        expectText(await signing.end(), `in as ${user}`)
        const sending = await visit(user, 'upload')
        const { 'content-type': _, ...headers } = sending.headers
        const to = `${sending.link.replace('/go/', '/files/')}?field=file`
        const named = { ...headers, 'x-beckon-form': sending.token, 'x-file-name': 'report.pdf' }
        await server.fetch(new Request(to, { method: 'POST', headers: named, body: pdf }))
        await submit(server, sending, { do: 'send' })
        expectText(await sending.end(), `report.pdf ${pdf.length}`)
        const choosing = await visit(user, 'choose')
        const choice = /value="([^"]+)"> <bdi>City &lt;7&gt;</.exec(choosing.html)?.[1] ?? ''
        await submit(server, choosing, { do: 'choose', choice })
        expectText(await choosing.end(), 'c7')
        theirs.clear()
      },
      close: () => server.close(),
    }
  },
}

/**
 * @param {import('beckon').BeckonServer} server
 * @param {{ link: string, token: string, headers: Record<string, string> }} page
 * @param {Record<string, string>} fields
 */
async function submit(server, { link, token, headers }, fields) {
  const body = new URLSearchParams({ beckon: token, ...fields }).toString()
  const response = await server.fetch(new Request(link, { method: 'POST', headers, body }))
  if (response.status >= 400) throw new Error(`${response.status}: ${await response.text()}`)
}

/**
 * A request as a browser would send it, with something wrong about it.
 * @param {Random} random
 * @param {{ link: string, token: string, headers: Record<string, string> }} page
 */
function spoiled(random, { link, token, headers }) {
  const sent = { ...headers }
  if (random.next() < 0.3) spoilHeader(random, sent)
  let url = random.next() < 0.3 ? link.replace('/go/', '/files/') : link
  if (url.includes('/files/')) {
    url += `?field=${random.next() < 0.8 ? 'file' : encodeURIComponent(Buffer.from(random.pick(texts)).toString())}`
    Object.assign(sent, {
      'x-beckon-form': token,
      'x-file-name': random.next() < 0.5 ? 'a.pdf' : garbled(random, 'a%20b.pdf'),
    })
  }
  if (random.next() < 0.15) url = publicUrl + garbled(random, url.slice(publicUrl.length))
  if (random.next() < 0.1)
    return { url, method: random.pick(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']), headers: sent }
  return { url, method: 'POST', headers: sent, body: bodyFor(random, token, url.includes('/files/')) }
}

/** @param {Random} random @param {string} token @param {boolean} isFile */
function bodyFor(random, token, isFile) {
  if (isFile)
    return random.next() < 0.1
      ? Buffer.alloc(random.between(0, 20_000))
      : garbledBytes(random, Buffer.from(pdf.repeat(random.between(1, 30))))
  const fields = {
    beckon: token,
    do: random.pick(['send', 'choose', 'search', 'decline', 'x']),
    'field-username': 'ada',
    'field-password': 'x',
    choice: 'c7',
    search: 'city',
    page: '2',
  }
  const name = random.pick(Object.keys(fields))
  const value = random.next() < 0.6 ? random.pick(texts) : garbled(random, 'x'.repeat(random.between(0, 3_000)))
  const body = new URLSearchParams({
    ...fields,
    [name === 'beckon' && random.next() < 0.8 ? 'do' : name]: value,
  }).toString()
  return random.next() < 0.15 ? garbledBytes(random, Buffer.from(body)) : body
}

/** @param {Random} random @param {Record<string, string>} headers */
function spoilHeader(random, headers) {
  const name = random.pick([...Object.keys(headers), 'origin', 'range', 'content-length', 'x-beckon-form'])
  if (random.next() < 0.4) delete headers[name]
  else headers[name] = garbled(random, headers[name] ?? 'x').replace(/[^ -~]/g, '')
}

/** Keeps nothing that was uploaded but its length. @returns {import('beckon/files').FilePlace} */
function forgetful() {
  return {
    async put(_id, bytes) {
      for await (const _ of bytes);
    },
    async *get() {},
    async delete() {},
  }
}

/** @param {Record<string, any>} result @param {string} text */
function expectText(result, text) {
  if (result.content?.[0]?.text !== text) throw new Error(`${JSON.stringify(result)} where "${text}" is right`)
}
