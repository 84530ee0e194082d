import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import * as v from 'valibot'
import { expect } from 'vitest'
import { z } from 'zod'
import { type BeckonServer, type Context, ElicitationNotAvailableError } from '../../src/index.js'
import type { ClientCapabilities, TestClient } from '../../src/test/index.js'
import { verifies, verifiesAll, type WireName, wires } from './verifies.js'

const push = ['push 2025-06-18', 'push 2025-11-25'] as const
const withUrls = ['push 2025-11-25', 'rounds', 'tasks'] as const
const task = { task: 'optional' } as const
const text = (result: { content: { text?: unknown }[] }) => result.content.map(block => block.text).join()

verifies('confirm:accept', wires, async ({ server, connect }) => {
  const one = server().tool('t', task, async (_, ctx) => ctx.json(await ctx.confirm('Sure?')))
  const client = connect(one, { answer: [true] })
  expect(text(await client.callTool('t'))).toBe('true')
  expect(client.asked).toMatchObject([{ kind: 'confirm', message: 'Sure?' }])
})

verifies('confirm:no', wires, async ({ server, connect }) => {
  const one = server().tool('t', task, async (_, ctx) =>
    ctx.json([await ctx.confirm('a'), await ctx.confirm({ question: 'b' })]),
  )
  expect(text(await connect(one, { answer: ['decline', 'cancel'] }).callTool('t'))).toBe('[false,false]')
})

verifies('confirm:missing-capability', wires, async ({ server, connect, wire }) => {
  const one = server().tool('t', task, async (_, ctx) => ctx.json(await ctx.confirm('Sure?')))
  const client = connect(one, { capabilities: declares(wire, {}), answer: [true] })
  expect(text(await client.callTool('t'))).toBe('false')
  expect(client.asked).toEqual([])
})

verifies('confirm:expiry', push, async ({ server, connect, clock, turn }) => {
  const one = server().tool('t', {}, async (_, ctx) =>
    ctx.json(await ctx.confirm({ question: 'Sure?', timeoutMs: 1_000 })),
  )
  const client = connect(one, { answer: () => new Promise(() => {}) })
  const result = client.callTool('t')
  await turn()
  clock.advance(1_000)
  expect(text(await result)).toBe('false')
  expect(sentBy(client)).toContainEqual(expect.objectContaining({ method: 'notifications/cancelled' }))
})

verifies('confirm:expiry', ['tasks'], async ({ server, connect, clock, turn }) => {
  const one = server().tool('t', task, async (_, ctx) =>
    ctx.json(await ctx.confirm({ question: 'Sure?', timeoutMs: 1_000 })),
  )
  const client = connect(one)
  const { taskId } = await client.request('tools/call', { name: 't' })
  await turn()
  expect(await client.request('tasks/get', { taskId })).toMatchObject({ status: 'input_required' })
  clock.advance(1_000)
  await turn()
  expect(await client.request('tasks/get', { taskId })).toMatchObject({
    status: 'completed',
    result: { content: [{ text: 'false' }] },
  })
})

verifies('confirm:expiry', ['rounds'], async ({ server, connect, clock, turn }) => {
  const seen: boolean[] = []
  const one = server().tool('t', {}, async (_, ctx) => {
    seen.push(await ctx.confirm({ question: 'Sure?', timeoutMs: 1_000 }))
    return ctx.text('done')
  })
  const client = connect(one, { replay: 'when-needed' })
  const { requestState } = await client.request('tools/call', { name: 't' })
  clock.advance(1_000)
  await turn()
  expect(seen).toEqual([false])
  expect(await client.request('tools/call', { name: 't', requestState })).toMatchObject({ content: [{ text: 'done' }] })
  const again = await client.request('tools/call', { name: 't' })
  clock.advance(60 * 60_000)
  await turn()
  const late = { name: 't', requestState: again.requestState }
  await expect(client.request('tools/call', late)).rejects.toMatchObject({ code: -32602 })
})

verifies('confirm:client-error', push, async ({ server, wire }) => {
  const one = server().tool('t', {}, async (_, ctx) => ctx.json(await ctx.confirm('Sure?')))
  expect(text(await callFailing(one, wire))).toBe('false')
})

verifies('elicit:value', wires, async ({ server, connect }) => {
  const schema = z.object({ age: z.string().regex(/^\d+$/).transform(Number), ok: z.boolean().default(true) })
  const one = server().tool('t', task, async (_, ctx) => ctx.json(await ctx.elicit({ question: 'Age?', schema })))
  expect(text(await connect(one, { answer: [{ age: '42' }] }).callTool('t'))).toBe('{"age":42,"ok":true}')
})

verifies('elicit:no', wires, async ({ server, connect }) => {
  const schema = z.object({ a: z.string() })
  const one = server().tool('t', task, async (_, ctx) =>
    ctx.json([
      await ctx.elicit({ question: 'a', schema }),
      await ctx.elicit.form('b', schema),
      await ctx.elicit.form('c', schema),
    ]),
  )
  const result = await connect(one, { answer: ['decline', 'decline', 'cancel'] }).callTool('t')
  expect(JSON.parse(text(result))).toEqual([
    null,
    { action: 'decline', content: {} },
    { action: 'cancel', content: {} },
  ])
})

verifies('elicit:missing-capability', wires, async ({ server, connect, wire }) => {
  const schema = z.object({ a: z.string() })
  const one = server()
    .tool('caught', task, async (_, ctx) =>
      ctx.elicit({ question: 'a', schema }).then(
        () => ctx.text('asked'),
        (error: unknown) =>
          ctx.text(error instanceof ElicitationNotAvailableError ? `${error.kind} ${error.code}` : 'other'),
      ),
    )
    .tool('uncaught', task, async (_, ctx) => ctx.json(await ctx.elicit({ question: 'a', schema })))
  const client = connect(one, { capabilities: declares(wire, {}) })
  expect(text(await client.callTool('caught'))).toBe('ElicitationNotAvailable -32007')
  if (wire.startsWith('push')) expect(await client.callTool('uncaught')).toMatchObject({ isError: true })
  else
    await expect(client.callTool('uncaught')).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    })
})

verifies('elicit:client-error', push, async ({ server, wire }) => {
  const one = server().tool('t', {}, async (_, ctx) => {
    const error: unknown = await ctx.elicit({ question: 'a', schema: String }).catch(caught => caught)
    return ctx.json(error instanceof ElicitationNotAvailableError)
  })
  expect(text(await callFailing(one, wire))).toBe('true')
})

verifies('elicit:expiry', push, async ({ server, connect, clock, turn }) => {
  const one = server().tool('t', {}, async (_, ctx) =>
    ctx.elicit({ question: 'a', schema: String, timeout: 500 }).then(
      () => ctx.text('answered'),
      (error: { kind: string }) => ctx.text(error.kind),
    ),
  )
  const result = connect(one, { answer: () => new Promise(() => {}) }).callTool('t')
  await turn()
  clock.advance(500)
  expect(text(await result)).toBe('AskExpired')
})

verifies('elicit:asked-again', wires, async ({ server, connect }) => {
  const schema = z.object({ code: z.string().regex(/^x/, 'Start with x.') })
  const one = server().tool('t', task, async (_, ctx) => ctx.json(await ctx.elicit({ question: 'Code?', schema })))
  const client = connect(one, { answer: [{ code: 'a' }, { code: 'b' }, { code: 'xyz' }] })
  expect(text(await client.callTool('t'))).toBe('{"code":"xyz"}')
  expect(client.asked[1]?.message).toMatch(/^Code\?[\s\S]*code: Start with x\./)
  const stubborn = connect(one, { answer: () => ({ code: 'a' }) })
  expect(await stubborn.callTool('t')).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('Start with x.') }],
  })
  expect(stubborn.asked).toHaveLength(3)
})

verifies('elicit:asked-again-keeps', wires, async ({ server, connect, wire }) => {
  const schema = z
    .object({
      name: z.string().min(3).default('Ada'),
      count: z.number(),
      tags: z.array(z.enum(['a', 'b'])),
      tokenName: z.string(),
    })
    .refine(({ count }) => count > 1, 'More than one.')
  const one = server().tool('t', task, async (_, ctx) =>
    ctx.json(await ctx.elicit({ question: 'What?', schema, allow: ['tokenName'] })),
  )
  const isOld = wire === 'push 2025-06-18'
  const tags = isOld ? { 'tags.a': false, 'tags.b': true } : { tags: ['b'] }
  const rest = { ...tags, tokenName: 'main' }
  const client = connect(one, {
    answer: [
      { name: 'x', count: 1, ...rest },
      { count: 1, ...rest },
      { count: 2, ...rest },
    ],
  })
  expect(text(await client.callTool('t'))).toBe('{"name":"Ada","count":2,"tags":["b"],"tokenName":"main"}')
  const startsWith = client.asked.map(asked =>
    Object.fromEntries(
      Object.entries(asked.kind === 'form' ? asked.schema.properties : {}).flatMap(([name, field]) =>
        field.default === undefined ? [] : [[name, field.default]],
      ),
    ),
  )
  expect(startsWith).toEqual(
    isOld ? [{}, tags, tags] : [{ name: 'Ada' }, { name: 'x', count: 1, ...tags }, { count: 1, ...tags }],
  )
})

verifies('elicit:unsaid', wires, async ({ server, connect }) => {
  const schema = v.object({ response: v.pipe(v.string(), v.email()) })
  const parsed = z.object({ code: z.string().transform(code => JSON.parse(code)) })
  const one = server()
    .tool('refused', task, async (_, ctx) => ctx.json(await ctx.elicit({ question: 'Mail?', schema })))
    .tool('thrown', task, async (_, ctx) => ctx.json(await ctx.elicit({ question: 'Code?', schema: parsed })))
  const client = connect(one, {
    answer: ({ tool }) => (tool === 'thrown' ? { code: 'my-word' } : { response: 'my-word' }),
  })
  const refused = await client.callTool('refused')
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Invalid email') }] })
  const thrown = await client.callTool('thrown')
  expect(thrown).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('could not check') }] })
  expect(JSON.stringify([refused, thrown, client.asked.map(({ message }) => message)])).not.toContain('my-word')
})

verifies('elicit:shape', wires, async ({ server, connect }) => {
  const schema = z.object({ address: z.object({ street: z.string() }) })
  const one = server().tool('t', task, async (_, ctx) => ctx.json(await ctx.elicit({ question: 'Where?', schema })))
  const client = connect(one, { answer: [] })
  expect(await client.callTool('t')).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('"address"') }],
  })
  expect(client.asked).toEqual([])
})

verifies('elicit:secret', wires, async ({ server, connect }) => {
  const one = server().tool('t', task, async (_, ctx) =>
    ctx.json(await ctx.elicit({ question: 'Log in', schema: z.object({ password: z.string() }) })),
  )
  const client = connect(one, { answer: [] })
  expect(await client.callTool('t')).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('credentials()') }],
  })
  expect(client.asked).toEqual([])
})

verifies('elicit:shorthand', wires, async ({ server, connect }) => {
  const one = server().tool('t', task, async (_, ctx) =>
    ctx.json([
      await ctx.elicit({ question: 'Color?', schema: ['red', 'green'] }),
      await ctx.elicit({ question: 'How many?', schema: Number }),
    ]),
  )
  expect(text(await connect(one, { answer: [{ value: 'green' }, { value: 3 }] }).callTool('t'))).toBe('["green",3]')
})

verifies('elicit:initial', withUrls, async ({ server, connect }) => {
  const schema = z.object({ title: z.string(), count: z.number() })
  const one = server().tool('t', task, async (_, ctx) =>
    ctx.json(await ctx.elicit({ question: 'Fine?', schema, initial: { title: 'Plan', count: 2 } })),
  )
  const client = connect(one, { answer: [{ title: 'Plan', count: 3 }] })
  expect(text(await client.callTool('t'))).toBe('{"title":"Plan","count":3}')
  expect(client.asked[0]).toMatchObject({
    schema: { properties: { title: { default: 'Plan' }, count: { default: 2 } } },
  })
})

verifies('elicit:lowered', ['push 2025-06-18'], async ({ server, connect }) => {
  const schema = z.object({ size: z.string().default('m'), tags: z.array(z.enum(['a', 'b'])) })
  const one = server().tool('t', {}, async (_, ctx) => ctx.json(await ctx.elicit({ question: 'Pick', schema })))
  const client = connect(one, { answer: [{ size: 'l', 'tags.a': false, 'tags.b': true }] })
  expect(text(await client.callTool('t'))).toBe('{"size":"l","tags":["b"]}')
  expect(client.asked[0]).toMatchObject({
    schema: { properties: { size: { type: 'string' }, 'tags.a': { type: 'boolean' }, 'tags.b': { type: 'boolean' } } },
  })
})

verifies('elicit:parallel', wires, async ({ server, connect }) => {
  const one = server().tool('t', task, async (_, ctx) =>
    ctx.json(
      await Promise.all([
        ctx.elicit({ question: 'a', schema: String }),
        ctx.confirm('b'),
        ctx.elicit({ question: 'c', schema: Number }),
      ]),
    ),
  )
  const client = connect(one, {
    answer: ask => (ask.message === 'a' ? { value: 'A' } : ask.message === 'b' ? true : { value: 3 }),
  })
  expect(text(await client.callTool('t'))).toBe('["A",true,3]')
  expect(client.asked).toHaveLength(3)
})

verifies('elicit:in-a-row', wires, async ({ server, connect }) => {
  const one = server().tool('t', task, async (_, ctx) => {
    const all: unknown[] = []
    for (const question of ['a', 'b', 'c', 'd']) all.push(await ctx.elicit({ question, schema: String }))
    return ctx.json(all)
  })
  expect(text(await connect(one, { answer: ask => ({ value: ask.message.toUpperCase() }) }).callTool('t'))).toBe(
    '["A","B","C","D"]',
  )
})

verifies('elicit:input', wires, async ({ server, connect }) => {
  const requestedSchema = {
    type: 'object',
    properties: { confirm: { type: 'boolean', title: 'Confirm deletion' } },
    required: ['confirm'],
  } as const
  const one = server().tool('delete_all', task, async (_, ctx) => {
    if (!ctx.clientCapabilities.elicitation) return ctx.text('Please ask the user.')
    const r = await ctx.elicitInput({ mode: 'form', message: 'Delete all items?', requestedSchema })
    return ctx.text(r.action === 'accept' && r.content?.confirm ? 'Deleted.' : 'Cancelled.')
  })
  expect(text(await connect(one, { answer: [{ confirm: true }] }).callTool('delete_all'))).toBe('Deleted.')
  expect(text(await connect(one, { answer: ['decline'] }).callTool('delete_all'))).toBe('Cancelled.')
})

verifies('elicit:url', withUrls, async ({ server, connect }) => {
  const one = server().tool('t', task, async (_, ctx) =>
    ctx.json(await ctx.elicit.url('Read the terms', 'https://example.com/tos')),
  )
  const client = connect(one, { answer: ['accept', 'decline'] })
  expect(text(await client.callTool('t'))).toBe('{"action":"accept"}')
  expect(text(await client.callTool('t'))).toBe('{"action":"decline"}')
  expect(client.asked[0]).toMatchObject({ kind: 'url', url: 'https://example.com/tos' })
})

verifies('elicit:url-where-it-exists', ['push 2025-06-18'], async ({ server, connect }) => {
  const one = server().tool('t', {}, async (_, ctx) =>
    ctx.elicit.url('Open', 'https://example.com/').then(
      () => ctx.text('asked'),
      (error: { kind: string }) => ctx.text(`${error.kind} ${ctx.agentCapabilities.elicitation?.url}`),
    ),
  )
  const client = connect(one, { capabilities: { elicitation: { form: {}, url: {} } }, answer: ['accept'] })
  expect(text(await client.callTool('t'))).toBe('ElicitationNotAvailable false')
  expect(client.asked).toEqual([])
})

verifies('elicit:url-completion', withUrls, async ({ server, connect, turn }) => {
  const one = server().tool('pay', task, async (_, ctx) => {
    const elicitationId = 'payment-1'
    const { action } = await ctx.elicit.url('Pay', 'https://pay.example.com/', {
      waitForCompletion: true,
      elicitationId,
      timeout: 300_000,
    })
    return ctx.text(`${action} ${await ctx.session.get('paid')}`)
  })
  let session = ''
  one.tool('who', {}, async (_, ctx) => ctx.text(ctx.sessionId))
  const client = connect(one, { answer: ['accept'], principal: 'alice' })
  session = text(await client.callTool('who'))
  let isDone = false
  const result = client.callTool('pay').finally(() => {
    isDone = true
  })
  await turn()
  await turn()
  expect(client.asked).toHaveLength(1)
  expect(isDone).toBe(false)
  one.session(session).set('paid', true)
  expect(await one.completeElicitation('payment-1')).toBe(true)
  expect(await one.completeElicitation('payment-1')).toBe(true)
  expect(await one.completeElicitation('unknown')).toBe(false)
  expect(text(await result)).toBe('accept true')
})

verifies('elicit:url-refused', withUrls, async ({ server, connect }) => {
  const one = server().tool('t', task, async (_, ctx) => ctx.json(await ctx.elicit.url('Open', 'javascript:alert(1)')))
  const client = connect(one, { answer: [] })
  expect(await client.callTool('t')).toMatchObject({ isError: true })
  expect(client.asked).toEqual([])
})

verifies('elicit:url-error', ['push 2025-11-25'], async ({ server, connect, turn }) => {
  const one = server().tool('t', { urlError: true }, async (_, ctx) =>
    ctx.json(await ctx.elicit.url('Open', 'https://example.com/', { elicitationId: 'id-1' })),
  )
  const client = connect(one, { answer: [] })
  await expect(client.callTool('t')).rejects.toMatchObject({
    code: -32042,
    data: { elicitations: [{ mode: 'url', message: 'Open', url: 'https://example.com/', elicitationId: 'id-1' }] },
  })
  await one.completeElicitation('id-1')
  await turn()
  expect(sentBy(client)).toContainEqual(
    expect.objectContaining({ method: 'notifications/elicitation/complete', params: { elicitationId: 'id-1' } }),
  )
})

verifies('prompt:asks', ['push 2025-06-18', 'push 2025-11-25', 'rounds'], async ({ server, connect }) => {
  const one = server().prompt(
    'p',
    {},
    async (_, ctx) => `Use ${await ctx.elicit({ question: 'What?', schema: String })}`,
  )
  const result = await connect(one, { answer: [{ value: 'this' }] }).getPrompt('p')
  expect(result.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Use this' } }])
})

verifies('resource:asks', ['push 2025-06-18', 'push 2025-11-25', 'rounds'], async ({ server, connect }) => {
  const one = server().resource(
    'notes://{id}',
    {},
    async ({ uri, vars }, ctx) => `${uri} ${vars.id} ${await ctx.confirm('Read?')}`,
  )
  const result = await connect(one, { answer: [true] }).readResource('notes://7')
  expect(result.contents).toMatchObject([{ uri: 'notes://7', text: 'notes://7 7 true' }])
})

verifies('step:once', wires, async ({ server, connect }) => {
  let ran = 0
  const one = server().tool('t', task, async (_, ctx) => {
    await ctx.confirm('a')
    const value = await ctx.step('effect', () => ++ran)
    await ctx.confirm('b')
    await ctx.confirm('c')
    return ctx.json([value, await ctx.step('effect', () => ++ran)])
  })
  expect(text(await connect(one, { answer: () => true }).callTool('t'))).toBe('[1,2]')
  expect(ran).toBe(2)
})

verifies('call:cancelled', push, async ({ server, connect, turn }) => {
  const seen: string[] = []
  const one = server().tool('t', {}, async (_, ctx) => {
    ctx.signal.addEventListener('abort', () => seen.push('aborted'))
    await ctx.confirm('Sure?')
    seen.push('went on')
    return ctx.text('done')
  })
  const controller = new AbortController()
  const client = connect(one, { answer: () => new Promise(() => {}) })
  const result = client.callTool('t', {}, { signal: controller.signal }).catch(() => 'cancelled')
  await turn()
  expect(client.asked).toHaveLength(1)
  controller.abort()
  expect(await result).toBe('cancelled')
  await turn()
  expect(seen).toEqual(['aborted'])
  expect(sentBy(client)).toContainEqual(expect.objectContaining({ method: 'notifications/cancelled' }))
})

verifies('call:heartbeat', push, async ({ server, connect, clock, turn }) => {
  const one = server().tool('t', {}, async (_, ctx) => {
    ctx.progress(1, 2)
    const ok = await ctx.confirm('Sure?')
    ctx.progress(2, 2)
    return ctx.json(ok)
  })
  let answer = (_ok: boolean) => {}
  const client = connect(one, {
    answer: () =>
      new Promise<boolean>(resolve => {
        answer = resolve
      }),
  })
  const result = client.callTool('t')
  await turn()
  for (let i = 0; i < 4; i++) {
    clock.advance(15_000)
    await turn()
  }
  answer(true)
  expect(text(await result)).toBe('true')
  const told = sentBy(client).flatMap(message =>
    'method' in message && message.method === 'notifications/progress' ? [Number(message.params?.progress)] : [],
  )
  expect(told.length).toBeGreaterThanOrEqual(6)
  expect(told).toEqual(told.toSorted((a, b) => a - b))
  expect(new Set(told).size).toBe(told.length)
})

verifies('call:progress-grows', push, async ({ server, connect, clock, turn }) => {
  const one = server().tool('t', {}, async (_, ctx) => {
    await ctx.confirm('Sure?')
    ctx.progress(0, 3)
    ctx.progress(2, 3, 'Copied.')
    ctx.progress(2, 3, 'Checked.')
    await ctx.confirm('Really?')
    await ctx.confirm('Really, really?')
    ctx.progress(5e11)
    return ctx.json(await ctx.confirm('Enough?'))
  })
  let answer = (_ok: boolean) => {}
  const client = connect(one, {
    answer: () =>
      new Promise<boolean>(resolve => {
        answer = resolve
      }),
  })
  const result = client.callTool('t')
  for (let asked = 0; asked < 4; asked++) {
    await turn()
    clock.advance(30_000)
    await turn()
    answer(true)
  }
  await result
  const told = sentBy(client).flatMap(message =>
    'method' in message && message.method === 'notifications/progress' ? [Number(message.params?.progress)] : [],
  )
  expect(told.length).toBeGreaterThanOrEqual(12)
  expect(told.filter((progress, at) => at > 0 && !(progress > Number(told[at - 1])))).toEqual([])
})

verifies('call:timeout', push, async ({ server, connect, clock, turn }) => {
  const one = server()
    .tool('patient', { timeoutMs: 1_000 }, async (_, ctx) => ctx.json(await ctx.confirm('Sure?')))
    .tool('slow', { timeoutMs: 1_000 }, () => new Promise<never>(() => {}))
  let answer = (_ok: boolean) => {}
  const client = connect(one, {
    answer: () =>
      new Promise<boolean>(resolve => {
        answer = resolve
      }),
  })
  const patient = client.callTool('patient')
  await turn()
  clock.advance(600_000)
  answer(true)
  expect(text(await patient)).toBe('true')
  const slow = client.callTool('slow')
  await turn()
  clock.advance(1_000)
  expect(await slow).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('1000 ms') }] })
})

verifies('call:unasked', ['rounds'], async ({ server, connect }) => {
  const handler = async (_: unknown, ctx: Context) =>
    ctx.json([
      await ctx.elicit({ question: 'Name?', schema: z.object({ name: z.string() }), key: 'user' }),
      await ctx.confirm({ question: 'Sure?', key: 'sure' }),
    ])
  const one = server()
    .tool('open', {}, handler)
    .tool('guarded', { annotations: { destructive: true } }, handler)
  const client = connect(one)
  const inputResponses = {
    user: { action: 'accept', content: { name: 'Ada' } },
    sure: { action: 'accept' },
    other: { action: 'accept' },
  }
  const open = await client.request('tools/call', { name: 'open', inputResponses })
  expect(Object.keys(open.inputRequests as object)).toEqual(['sure'])
  const guarded = await client.request('tools/call', { name: 'guarded', inputResponses })
  expect(Object.keys(guarded.inputRequests as object)).toEqual(['user'])
  const wrong = await client.request('tools/call', {
    name: 'open',
    inputResponses: { user: { action: 'accept', content: { name: 5 } } },
  })
  expect(wrong).toMatchObject({
    resultType: 'input_required',
    inputRequests: { user: { params: { message: expect.stringContaining('did not fit') } } },
  })
})

verifies('call:wrong-arguments', wires, async ({ server, connect }) => {
  let ran = false
  const one = server()
    .tool('zod', { ...task, input: z.object({ count: z.number() }) }, async () => {
      ran = true
      return 'ran'
    })
    .tool(
      'json',
      { ...task, input: { type: 'object', properties: { count: { type: 'number' } }, required: ['count'] } },
      async () => 'ran',
    )
  const client = connect(one, { answer: [] })
  for (const name of ['zod', 'json']) {
    expect(await client.callTool(name, { count: 'many' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('count') }],
    })
  }
  expect(ran).toBe(false)
})

verifies('call:unknown-tool', wires, async ({ server, connect }) => {
  await expect(connect(server(), { answer: [] }).callTool('none')).rejects.toMatchObject({ code: -32602 })
})

verifies('state:forged', ['rounds'], async bench => {
  let runs = 0
  const one = bench.server().tool('t', {}, async (_, ctx) => {
    runs++
    return ctx.json(await ctx.confirm('Sure?'))
  })
  one.tool('other', {}, async (_, ctx) => ctx.json(await ctx.confirm('Sure?')))
  const client = bench.connect(one)
  const { requestState, inputRequests } = (await client.request('tools/call', { name: 't' })) as {
    requestState: string
    inputRequests: object
  }
  const inputResponses = Object.fromEntries(Object.keys(inputRequests).map(id => [id, { action: 'accept' }]))
  runs = 0
  const bad: Record<string, unknown>[] = [
    { name: 't', requestState: `${requestState}-TAMPERED` },
    { name: 't', requestState: requestState.slice(0, -2) },
    { name: 't', requestState: 'invented' },
    { name: 't', requestState, arguments: { other: true } },
    { name: 'other', requestState },
  ]
  for (const params of bad) {
    await expect(
      client.request('tools/call', { ...params, inputResponses }),
      JSON.stringify(params),
    ).rejects.toMatchObject({ code: -32602 })
  }
  expect(runs).toBe(0)
})

verifies('state:foreign', ['rounds'], async ({ server, connect }) => {
  const one = server().tool('t', {}, async (_, ctx) => ctx.json(await ctx.confirm('Sure?')))
  const alice = connect(one, { principal: 'alice' })
  const { requestState, inputRequests } = (await alice.request('tools/call', { name: 't' })) as {
    requestState: string
    inputRequests: object
  }
  const inputResponses = Object.fromEntries(Object.keys(inputRequests).map(id => [id, { action: 'accept' }]))
  for (const options of [{ principal: 'bob' }, {}]) {
    await expect(
      connect(one, options).request('tools/call', { name: 't', requestState, inputResponses }),
    ).rejects.toMatchObject({ code: -32602 })
  }
  expect(await alice.request('tools/call', { name: 't', requestState, inputResponses })).toMatchObject({
    content: [{ text: 'true' }],
  })
})

verifies('state:repeat', ['rounds'], async ({ server, connect }) => {
  let effects = 0
  const one = server().tool('t', {}, async (_, ctx) => {
    await ctx.confirm('Sure?')
    await new Promise(resolve => setImmediate(resolve))
    return ctx.json(++effects)
  })
  const client = connect(one, { replay: 'when-needed' })
  const { requestState, inputRequests } = (await client.request('tools/call', { name: 't' })) as {
    requestState: string
    inputRequests: object
  }
  const inputResponses = Object.fromEntries(Object.keys(inputRequests).map(id => [id, { action: 'accept' }]))
  const again = () => client.request('tools/call', { name: 't', requestState, inputResponses })
  const replies = [...(await Promise.all([again(), again()])), await again()]
  for (const reply of replies) expect(reply).toMatchObject({ content: [{ text: '1' }] })
  expect(effects).toBe(1)
})

verifies('state:other-answers', ['rounds'], async ({ server, connect }) => {
  const one = server().tool('t', {}, async (_, ctx) => ctx.json(await ctx.confirm('Sure?')))
  const client = connect(one)
  const { requestState, inputRequests } = (await client.request('tools/call', { name: 't' })) as {
    requestState: string
    inputRequests: object
  }
  const [id = ''] = Object.keys(inputRequests)
  await client.request('tools/call', { name: 't', requestState, inputResponses: { [id]: { action: 'decline' } } })
  await expect(
    client.request('tools/call', { name: 't', requestState, inputResponses: { [id]: { action: 'accept' } } }),
  ).rejects.toMatchObject({ code: -32602 })
})

verifies('relay:asks', ['push 2025-11-25', 'rounds'], async ({ server, connect }) => {
  const one = server({ fallback: 'relay' }).tool('t', { input: z.object({ n: z.number() }) }, async ({ n }, ctx) => {
    const answer = await ctx.elicit({ question: 'Which color?', schema: ['red', 'green'] })
    return ctx.text(`${n} ${answer}`)
  })
  const client = connect(one, { capabilities: {} })
  const tools = await client.listTools()
  expect(tools[0]?.inputSchema).toMatchObject({ properties: { n: {}, beckon: { type: 'object' } } })
  const first = text(await client.callTool('t', { n: 1 }))
  expect(first).toContain('Which color?')
  const handle = /"handle":"([\w-]+)"/.exec(first)?.[1]
  const answered = { n: 1, beckon: { handle, answer: 'green' } }
  expect(text(await client.callTool('t', answered))).toBe('1 green')
  await expect(client.callTool('t', answered)).rejects.toMatchObject({ code: -32602 })
})

verifies('relay:not-confirm', ['push 2025-11-25', 'rounds'], async ({ server, connect }) => {
  const one = server({ fallback: 'relay' })
    .tool('plain', {}, async (_, ctx) => ctx.json(await ctx.confirm('Sure?')))
    .tool('relayed', {}, async (_, ctx) => ctx.json(await ctx.confirm({ question: 'Sure?', fallback: 'relay' })))
  const client = connect(one, { capabilities: {} })
  expect(text(await client.callTool('plain'))).toBe('false')
  const first = text(await client.callTool('relayed'))
  const handle = /"handle":"([\w-]+)"/.exec(first)?.[1]
  expect(text(await client.callTool('relayed', { beckon: { handle, action: 'accept' } }))).toBe('true')
})

verifies('relay:not-by-itself', wires, async ({ server, connect, wire }) => {
  const one = server({ fallback: 'relay' }).tool('t', task, async (_, ctx) =>
    ctx.elicit.url('Open', 'https://example.com/').then(
      () => ctx.text('asked'),
      (error: { kind: string }) => ctx.text(error.kind),
    ),
  )
  const client = connect(one, { capabilities: declares(wire, { elicitation: { form: {} } }), answer: ['accept'] })
  const said = text(await client.callTool('t'))
  if (wire === 'rounds') expect(said).toContain('https://example.com/')
  else expect(said).toBe('ElicitationNotAvailable')
  expect(client.asked).toEqual([])
})

verifies('quirks:skipped', wires, async ({ server, connect }) => {
  const one = server({ quirks: [{ client: 'nobody-there' }] }).tool('t', task, async (_, ctx) =>
    ctx.json(await ctx.confirm('Sure?')),
  )
  const quirky = connect(one, { client: { name: 'nobody-there', version: '1' }, answer: [true] })
  expect(text(await quirky.callTool('t'))).toBe('false')
  expect(quirky.asked).toEqual([])
  expect(text(await connect(one, { answer: [true] }).callTool('t'))).toBe('true')
})

verifiesAll()

/** A client that declares these capabilities, and tasks where the wire needs them. */
function declares(wire: WireName, capabilities: ClientCapabilities): ClientCapabilities {
  return wire === 'tasks' ? { ...capabilities, extensions: { 'io.modelcontextprotocol/tasks': {} } } : capabilities
}

/** Calls the tool with the official client, whose dialog breaks. */
async function callFailing(server: BeckonServer, wire: WireName) {
  const [here, there] = InMemoryTransport.createLinkedPair()
  const client = new Client(
    { name: 'broken', version: '1.0.0' },
    { capabilities: { elicitation: {} }, supportedProtocolVersions: [wire.replace('push ', '')] },
  )
  client.setRequestHandler('elicitation/create', () => {
    throw new Error('The dialog could not be shown.')
  })
  server.stdio({ transport: there })
  await client.connect(here)
  // A text is all that these tools give.
  return (await client.callTool({ name: 't' })) as { content: { text?: unknown }[] }
}

function sentBy({ messages }: TestClient) {
  return messages.flatMap(({ from, message }) => (from === 'server' ? [message] : []))
}
