import { AnswerInvalidError, formOf, InvalidFormError, questionsOf, SensitiveFieldError } from '@beckon/core'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FakeClock } from '../../test/fake-clock.js'
import type { Context } from '../author/context.js'
import type { ClientCapabilities } from '../call/incoming.js'
import { createServer } from '../index.js'
import { peekReceipt, receipts, shownDigest } from '../receipts/index.js'
import { createTestClient, type TestAsk, type TestClientOptions, type TestWire } from '../test/index.js'
import { defineWidget } from './index.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const rows = z.object({ rows: z.array(z.object({ id: z.number(), note: z.string().max(5) })).min(1) })
const nested = defineWidget({ name: 'nested', schema: rows, html: '<h1>Rows</h1>' })
const flat = defineWidget({ name: 'flat', schema: z.object({ city: z.string() }), html: '<h1>City</h1>' })
const formed = defineWidget({
  name: 'formed',
  schema: rows,
  html: '<h1>Rows</h1>',
  form: {
    schema: { type: 'object', properties: { ids: { type: 'string' } }, required: ['ids'] },
    toValue: ({ ids }) => ({
      rows: String(ids)
        .split(',')
        .map(id => ({ id: Number(id), note: '' })),
    }),
    toContent: value => ({
      ids: rows
        .parse(value)
        .rows.map(({ id }) => id)
        .join(),
    }),
  },
})

const ui = { mimeTypes: ['text/html;profile=mcp-app'], elicitation: {} }
const whole: ClientCapabilities = {
  elicitation: { form: {} },
  extensions: { 'io.modelcontextprotocol/ui': ui, 'io.modelcontextprotocol/tasks': {} },
}

function calling(
  handler: (ctx: Context) => Promise<unknown>,
  answer: (ask: TestAsk, nth: number) => object | 'decline',
  options: TestClientOptions = {},
) {
  const server = createServer({ name: 's', version: '1.0.0', widgets: [nested, flat, formed] })
  const caught: unknown[] = []
  server.tool('t', { task: 'optional' }, async (_input, ctx) => {
    try {
      return ctx.json({ given: await handler(ctx) })
    } catch (error) {
      caught.push(error)
      throw error
    }
  })
  const asked: TestAsk[] = []
  const client = createTestClient(server, {
    capabilities: whole,
    answer: ask => {
      asked.push(ask)
      return answer(ask, asked.length) as never
    },
    ...options,
  })
  closing.push(
    () => client.close(),
    () => server.close(),
  )
  const sent = () =>
    client.messages.flatMap(({ from, message }) => (from === 'server' ? elicitationsIn(message as object) : []))
  return { client, asked, sent, caught }
}

/** Every elicitation in a message, on whichever wire. */
function elicitationsIn(message: object): Record<string, unknown>[] {
  if ('method' in message && message.method === 'elicitation/create')
    return [(message as unknown as { params: Record<string, unknown> }).params]
  return Object.values(message).flatMap(inner =>
    typeof inner === 'object' && inner !== null ? elicitationsIn(inner) : [],
  )
}

const json = (value: unknown) => ({ json: JSON.stringify(value) })
const wires: TestWire[] = ['push', 'rounds', 'tasks']

it.each([
  ['that shows it', whole, { name: 'flat', data: [7] }],
  ['that shows a form', { elicitation: { form: {} } }, undefined],
])('is in the receipt with what it was given, from a client %s', async (_what, capabilities, widget) => {
  const server = createServer({ name: 's', version: '1.0.0', widgets: [flat], receipts: receipts() })
  server.tool('t', {}, async (_input, ctx) =>
    ctx.json(await ctx.elicit.form('Which?', flat.schema, { widget: flat, data: [7] })),
  )
  const client = createTestClient(server, { capabilities, principal: 'ana', answer: () => ({ city: 'Rome' }) })
  closing.push(
    () => client.close(),
    () => server.close(),
  )
  const { receipt } = (await client.callTool('t')).structuredContent as { receipt: string }
  const questions = questionsOf(formOf(flat.schema))
  expect(peekReceipt(receipt)?.shown).toBe(shownDigest({ message: 'Which?', questions, widget }))
})

describe.each(wires)('an ask with a widget, on %s', wire => {
  it('names its page and what it is given, and its answer of any shape comes as JSON', async () => {
    const given = { rows: [{ id: 7, note: 'ok' }] }
    const ask = (ctx: Context) => ctx.elicit({ question: 'Which?', widget: nested, data: { all: [1, 2] } })
    const { client, sent } = calling(ask, () => json(given), { wire })
    const { structuredContent } = await client.callTool('t')
    expect(structuredContent).toEqual({ given })
    expect(sent()[0]).toMatchObject({
      message: 'Which?',
      requestedSchema: { properties: { json: { type: 'string' } }, required: ['json'] },
      _meta: {
        ui: { resourceUri: 'ui://beckon/nested' },
        'beckon/widget': { name: 'nested', data: { all: [1, 2] }, json: true },
      },
    })
  })

  it.each([
    ['elicitation', { ...whole, elicitation: { url: {} } }],
    ['views', { ...whole, extensions: { 'io.modelcontextprotocol/tasks': {} } }],
    [
      'HTML in views',
      {
        ...whole,
        extensions: { ...whole.extensions, 'io.modelcontextprotocol/ui': { ...ui, mimeTypes: ['text/plain'] } },
      },
    ],
    [
      'asks in views',
      { ...whole, extensions: { ...whole.extensions, 'io.modelcontextprotocol/ui': { mimeTypes: ui.mimeTypes } } },
    ],
  ])('is a plain form for a client without %s, or nothing', async (what, capabilities) => {
    const { client, sent } = calling(
      ctx => ctx.elicit({ question: 'Where?', widget: flat }),
      () => ({ city: 'Rome' }),
      { wire, capabilities },
    )
    await client.callTool('t').catch(() => {})
    expect(sent().every(({ _meta = {} }) => !('ui' in (_meta as object)))).toBe(true)
    expect(sent()).toHaveLength(what === 'elicitation' ? 0 : 1)
  })
})

describe('the form that stands in for a widget', () => {
  it("is the schema's own where that is flat", async () => {
    const { client, sent } = calling(
      ctx => ctx.elicit({ question: 'Where?', widget: flat, initial: { city: 'Oslo' } }),
      () => ({ city: 'Rome' }),
    )
    expect((await client.callTool('t')).structuredContent).toEqual({ given: { city: 'Rome' } })
    expect(sent()[0]).toMatchObject({ requestedSchema: { properties: { city: { type: 'string', default: 'Oslo' } } } })
  })

  it("is the author's where there is one, and the author's schema checks what it stands for", async () => {
    const initial = { rows: [{ id: 3, note: '' }] }
    const { client, sent, asked } = calling(
      ctx => ctx.elicit({ question: 'Which?', widget: formed, initial }),
      (_ask, nth) => ({ ids: nth === 1 ? 'x' : '1,2' }),
    )
    const { structuredContent } = await client.callTool('t')
    expect(structuredContent).toEqual({
      given: {
        rows: [
          { id: 1, note: '' },
          { id: 2, note: '' },
        ],
      },
    })
    expect(sent()[0]).toMatchObject({ requestedSchema: { properties: { ids: { default: '3' } } } })
    expect(asked).toHaveLength(2)
  })

  it('is one field of JSON otherwise, and starts again with what was written, and says nothing of it', async () => {
    const { client, sent, caught } = calling(
      ctx => ctx.elicit({ question: 'Which?', widget: nested, initial: { rows: [{ id: 1, note: 'a' }] } }),
      (_ask, nth) => [{ json: '{' }, json({ rows: [{ id: 1, note: 'too long' }] }), json({ rows: [] })][nth - 1] ?? {},
    )
    await client.callTool('t')
    const [first, second, third] = sent()
    expect(first).toMatchObject({
      requestedSchema: { properties: { json: { default: '{"rows":[{"id":1,"note":"a"}]}' } } },
    })
    expect(second?.message).toMatch(/did not fit/)
    expect(third).toMatchObject({
      requestedSchema: { properties: { json: { default: expect.stringContaining('too long') } } },
    })
    expect(String(third?.message)).not.toContain('too long')
    expect(caught).toEqual([expect.any(AnswerInvalidError)])
  })

  it('cannot be one of a shape that nothing checks, and asks for no secret, however deep', async () => {
    const shape = { type: 'object', properties: { a: { type: 'object' } } } as const
    const secret = z.object({ users: z.array(z.object({ password: z.string() })) })
    const { client, asked, caught } = calling(
      async ctx => {
        const errors = [shape, secret].map(schema =>
          ctx.elicit({ question: 'Which?', schema, widget: nested }).catch(error => error),
        )
        throw await Promise.all(errors)
      },
      () => ({}),
    )
    await client.callTool('t')
    expect(caught).toEqual([[expect.any(InvalidFormError), expect.any(SensitiveFieldError)]])
    expect(asked).toEqual([])
  })
})

describe('a server with widgets', () => {
  it('declares that it has asks in views, and serves their pages with nothing from outside', async () => {
    const { client } = calling(
      async () => 1,
      () => ({}),
      { wire: 'push' },
    )
    await client.callTool('t')
    expect(JSON.stringify(client.messages)).toContain('"io.modelcontextprotocol/ui":{"elicitation":{}}')
    const { contents } = await client.readResource('ui://beckon/nested')
    expect(contents).toEqual([
      {
        uri: 'ui://beckon/nested',
        mimeType: 'text/html;profile=mcp-app',
        text: nested.page,
        _meta: {
          ui: {
            csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
            prefersBorder: true,
          },
        },
      },
    ])
  })

  it('refuses one that it does not serve, and more than can be sent, and asks nobody', async () => {
    const other = defineWidget({ name: 'other', schema: String, html: '' })
    const { client, asked, caught } = calling(
      async ctx => {
        const wanted = [{ widget: other }, { widget: flat, data: 'a'.repeat(200_000) }, { widget: flat, data: 1n }]
        throw await Promise.all(
          wanted.map(each => ctx.elicit({ question: 'q', schema: String, ...each }).catch(error => String(error))),
        )
      },
      () => ({}),
    )
    await client.callTool('t')
    expect(caught).toEqual([
      [
        'TypeError: The widget "other" is served by no one: createServer({ widgets: [other] }).',
        expect.stringMatching(/200002 bytes, and at most 196608/),
        'TypeError: What a widget is given must be JSON.',
      ],
    ])
    expect(asked).toEqual([])
  })
})

describe.each(['push', 'rounds'] as const)('a host that shows views and cannot ask, on %s', wire => {
  const capabilities: ClientCapabilities = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ui.mimeTypes } } }
  interface InView {
    readonly handle: string
    readonly tool: string
    readonly message: string
    readonly _meta: object
  }

  function inView({ clock, ...more }: TestClientOptions & { clock?: FakeClock } = {}) {
    const server = createServer({ name: 's', version: '1.0.0', widgets: [nested], clock })
    server.tool('t', { widget: nested }, async (_input, ctx) => ({
      given: await ctx.elicit({ question: 'Which?', widget: nested, data: [1] }),
    }))
    const client = createTestClient(server, { wire, capabilities, ...more })
    closing.push(
      () => client.close(),
      () => server.close(),
    )
    const askIn = (result: object) => (result as { _meta: { 'beckon/ask': InView } })._meta['beckon/ask']
    return { client, askIn }
  }

  it('is told of the view and of the tool that only views call; others are told of neither', async () => {
    const { client } = inView()
    expect(await client.listTools()).toMatchObject([
      { name: 'beckon_answer', _meta: { ui: { visibility: ['app'] } } },
      { name: 'beckon_find', _meta: { ui: { visibility: ['app'] } } },
      { name: 't', _meta: { ui: { resourceUri: 'ui://beckon/nested' } } },
    ])
    const rendering = inView({ capabilities: whole })
    expect((await rendering.client.listTools()).map(({ name }) => name)).toEqual(['beckon_find', 't'])
    const other = inView({ capabilities: { elicitation: { form: {} } } })
    expect(await other.client.listTools()).toEqual([expect.not.objectContaining({ _meta: expect.anything() })])
  })

  it('gets the ask with the result, and the result for the answer of its view, which counts once', async () => {
    const { client, askIn } = inView()
    const first = await client.callTool('t')
    const { handle, tool, message, _meta } = askIn(first)
    expect(first.content).toEqual([{ type: 'text', text: expect.stringMatching(/"Which\?".*do not answer for them/) }])
    expect(JSON.stringify(first.content)).not.toContain(handle)
    expect({ tool, message, _meta }).toEqual({
      tool: 'beckon_answer',
      message: 'Which?',
      _meta: { 'beckon/widget': { name: 'nested', data: [1], json: true } },
    })
    const unfit = await client.callTool(tool, { handle, action: 'accept', content: json({ rows: [] }) })
    const again = askIn(unfit)
    expect(again.message).toMatch(/did not fit/)
    await expect(client.callTool(tool, { handle, action: 'accept', content: json({ rows: [] }) })).rejects.toThrow(
      /answered before/,
    )
    const given = { rows: [{ id: 1, note: '' }] }
    const last = await client.callTool(tool, { handle: again.handle, action: 'accept', content: json(given) })
    expect(last.structuredContent).toEqual({ given })
  })

  it('is told how the call ended when its view answers after the ask expired', async () => {
    const clock = new FakeClock()
    const { client, askIn } = inView({ clock })
    const { handle, tool } = askIn(await client.callTool('t'))
    clock.advance(60 * 60_000 + 1)
    const late = await client.callTool(tool, { handle, action: 'accept', content: json({ rows: [] }) })
    expect(late).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('in time') }] })
  })
})

describe('defineWidget', () => {
  it('writes what a page imports from us into it, and refuses a page that imports anything else', () => {
    const module = "import { connectWidget } from 'beckon/widget'\nconnectWidget(() => {})"
    const { page } = defineWidget({ name: 'a', schema: String, module })
    expect(page).toContain('ui/initialize')
    expect(page).not.toContain("beckon/widget'")
    const html = `<script type="module">${module}</script>`
    expect(defineWidget({ name: 'a', schema: String, html }).page).toContain('ui/initialize')
    expect(() => defineWidget({ name: 'a', schema: String, module: "import x from 'lit'" })).toThrow(/imports "lit"/)
  })

  it('refuses a name that is no part of an address, and a page that is too large', () => {
    expect(() => defineWidget({ name: 'A b', schema: String, html: '' })).toThrow(/not a name/)
    expect(() => defineWidget({ name: 'a', schema: String, html: 'x'.repeat(600_000) })).toThrow(/600000 bytes/)
  })
})
