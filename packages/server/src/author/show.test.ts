import { showMeta } from '@beckon/core/blocks'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readMessage } from '../crypto/bound-message.js'
import { createServer } from '../index.js'
import { confirmed } from '../middleware/confirmed/confirmed.js'
import { messageWith, peekReceipt, receipts, shownDigest } from '../receipts/index.js'
import { createTestClient, type TestAsk, type TestClientOptions } from '../test/index.js'
import type { Context } from './context.js'
import { type Block, code, diff, image, link, markdown, table } from './show.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const html = '<img src=x onerror=alert(1)>'
const show = [diff('port = 80', 'port = 443', { title: 'nginx.conf' }), markdown(html), table([{ file: html }])]

function calling(handler: (ctx: Context) => Promise<unknown>, options: TestClientOptions = {}, more = {}) {
  const server = createServer({ name: 's', version: '1.0.0', ...more })
  server.tool('t', {}, async (_input, ctx) => ctx.json(await handler(ctx)))
  const asked: TestAsk[] = []
  const client = createTestClient(server, {
    answer: ask => {
      asked.push(ask)
      return ask.kind === 'form' ? { name: 'Ann' } : 'accept'
    },
    ...options,
  })
  closing.push(
    () => client.close(),
    () => server.close(),
  )
  return { client, asked }
}

const asks = {
  confirm: (ctx: Context, blocks: readonly Block[]) => ctx.confirm({ question: 'Save?', show: blocks }),
  elicit: (ctx: Context, blocks: readonly Block[]) =>
    ctx.elicit({ question: 'Who?', schema: z.object({ name: z.string() }), show: blocks }),
  form: (ctx: Context, blocks: readonly Block[]) =>
    ctx.elicit.form('Who?', z.object({ name: z.string() }), { show: blocks }),
  url: (ctx: Context, blocks: readonly Block[]) => ctx.elicit.url('Look', 'https://example.com/', { show: blocks }),
}

describe.each(Object.entries(asks))('what ctx.%s shows', (_, ask) => {
  it.each(['push', 'rounds'] as const)('is in the message as text, and beside it as it is, on %s', async wire => {
    const { client, asked } = calling(ctx => ask(ctx, show), { wire })
    await client.callTool('t')
    expect(asked).toMatchObject([{ show }])
    const sent = JSON.stringify(client.messages)
    expect(sent).toContain(String.raw`nginx.conf:\n- port = 80\n+ port = 443`)
  })

  it.each([
    ['an image of 50 MB', () => [image(new Uint8Array(50 * 1024 * 1024), { alt: 'a' })], 'is too large to show'],
    ['too many', () => Array.from({ length: 21 }, () => markdown('a')), '21 blocks, and at most 20'],
    ['too much', () => [code('a'.repeat(300_000))], 'at most 192 KB'],
    ['a link to a script', () => [link('javascript:alert(1)')], 'its address is refused'],
  ])('is refused with a sentence when it is %s, and nobody is asked', async (_what, blocks, sentence) => {
    const { client, asked } = calling(async ctx => ask(ctx, blocks()))
    const result = await client.callTool('t')
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(sentence) }] })
    expect(asked).toEqual([])
  })
})

it('can be as much as is allowed, also in rounds that are replayed', async () => {
  const blocks = [code('a'.repeat(190_000))]
  const { client, asked } = calling(async ctx => ({
    sure: await asks.confirm(ctx, blocks),
    who: await asks.elicit(ctx, blocks),
  }))
  expect((await client.callTool('t')).structuredContent).toEqual({ sure: true, who: { name: 'Ann' } })
  expect(asked).toHaveLength(2)
})

it.each(['confirm', 'form', 'url'] as const)(
  'an answer to a %s counts only for what was shown: other blocks are asked anew',
  async kind => {
    let run = 0
    const { client, asked } = calling(async ctx => {
      run++
      await asks[kind](ctx, [code(run === 1 ? 'as it was' : 'changed')])
      return run
    })
    await client.callTool('t')
    expect(asked.map(ask => ask.show?.[0])).toMatchObject([{ text: 'as it was' }, { text: 'changed' }])
  },
)

it.each([
  ['all of it', show],
  ['a part of it', [code('a\n'.repeat(5_000))]],
])('is what the digest in a receipt is of, as the client was sent it: %s', async (_, blocks) => {
  const outcome = (ctx: Context) => ctx.confirm.outcome({ question: 'Save?', show: blocks })
  const { client } = calling(outcome, { principal: 'ana' }, { receipts: receipts() })
  const { structuredContent } = await client.callTool('t')
  const { receipt } = structuredContent as { receipt: string }
  const message = messageWith('Save?', blocks)
  expect(JSON.stringify(client.messages)).toContain(JSON.stringify(message))
  expect(peekReceipt(receipt)?.shown).toBe(shownDigest({ message }))
})

it('is read by clients of ours only where the message is of these very blocks, however much it leaves out', async () => {
  const long = 'a\n'.repeat(5_000)
  const { client } = calling(ctx => ctx.confirm({ question: 'Save?', show: [code(`${long}keep`)] }))
  await client.callTool('t')
  const [message, forged] = [`${long}keep`, `${long}delete`].map(text => messageWith('Save?', [code(text)]))
  expect(JSON.stringify(client.messages)).toContain(JSON.stringify(message))
  expect(readMessage(message ?? '', { [showMeta]: [code(`${long}delete`)] }).blocks).toEqual([])
  expect(forged).not.toBe(message)
})

it('is what a model is told to show, where it relays', async () => {
  const server = createServer({ name: 's', version: '1.0.0', fallback: 'relay' })
  server.tool('t', {}, async (_input, ctx) => ctx.json(await asks.elicit(ctx, show)))
  const client = createTestClient(server, { capabilities: {} })
  closing.push(
    () => client.close(),
    () => server.close(),
  )
  expect((await client.callTool('t')).content[0]?.text).toContain('+ port = 443')
})

it('goes before a handler with confirmed()', async () => {
  const server = createServer({ name: 's', version: '1.0.0' })
  server.tool('t', { use: [confirmed(() => ({ question: 'Save?', show }))] }, () => 'saved')
  const client = createTestClient(server, { answer: ask => ask.show?.length === 3 })
  closing.push(
    () => client.close(),
    () => server.close(),
  )
  expect((await client.callTool('t')).content[0]?.text).toBe('saved')
})
