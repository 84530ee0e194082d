import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createServer } from '../../server/create-server.js'
import { createTestClient } from '../../test/index.js'
import { truncate } from './truncate.js'

vi.setConfig({ testTimeout: 60_000 })

async function cut(maxChars: number, result: unknown): Promise<unknown> {
  const server = createServer({ name: 's', version: '1.0.0' })
  // Whatever a handler may return.
  server.tool('t', truncate({ maxChars, note: '…' }), {}, () => result as string)
  return createTestClient(server).callTool('t')
}

describe('truncate', () => {
  it('cuts a text, and all texts together, once', async () => {
    expect(await cut(5, 'abcdefgh')).toMatchObject({ content: [{ text: 'abcde…' }] })
    expect(await cut(8, 'abcdefgh')).toMatchObject({ content: [{ text: 'abcdefgh' }] })
    const blocks = ['abc', 'defgh', 'ij'].map(text => ({ type: 'text', text }))
    const image = { type: 'image', data: 'aaaa', mimeType: 'image/png' }
    expect(await cut(5, { content: [...blocks, image], structuredContent: { whole: 'abcdefghij' } })).toEqual({
      content: [{ type: 'text', text: 'abc' }, { type: 'text', text: 'de…' }, image],
      structuredContent: { whole: 'abcdefghij' },
    })
  })

  it('never makes a text longer than it may be, and never splits a character', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 }),
        fc.integer({ min: 0, max: 20 }),
        async (texts, maxChars) => {
          const { content } = (await cut(maxChars, { content: texts.map(text => ({ type: 'text', text })) })) as {
            content: { text: string }[]
          }
          const kept = content.map(({ text }) => text).join('')
          expect(kept.length).toBeLessThanOrEqual(maxChars + 1)
          expect(Buffer.from(kept).toString()).toBe(kept)
          if (texts.join('').length <= maxChars) expect(content.map(({ text }) => text)).toEqual(texts)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('refuses a length that is none', () => {
    for (const maxChars of [-1, 1.5, Number.NaN]) expect(() => truncate({ maxChars })).toThrow(RangeError)
  })
})
