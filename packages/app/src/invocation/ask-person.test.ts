import { createHash } from 'node:crypto'
import { code, diff, link, readMessage } from '@beckon/core/blocks'
import { canonicalJson } from '@beckon/core/canonical-json'
import { RpcError } from '@beckon/core/json-rpc'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { confirmWith, elicit } from './ask-person.js'
import type { ShownQuestion } from './shown-question.js'

/** A person who gives these answers, by turns; what they were asked is kept. */
function person(...replies: unknown[]) {
  const asked: { question: string; schema: object; _meta?: object }[] = []
  return {
    asked,
    canAsk: () => true,
    async ask({ question, _meta }: ShownQuestion, schema: object): Promise<unknown> {
      asked.push({ question, schema, ...(_meta && { _meta }) })
      return replies[asked.length - 1]
    },
  }
}

const accept = (value: unknown) => ({ action: 'accept', value })
const warehouseSchema = z.object({ warehouseId: z.string() })
const warehouseForm = {
  type: 'object',
  properties: { warehouseId: { type: 'string' } },
  required: ['warehouseId'],
}

describe('a confirm', () => {
  it('sends a form without fields', async () => {
    const asking = person({ action: 'accept' })
    expect(await confirmWith(asking)({ question: 'Remove 5 completed todos?' })).toBe(true)
    expect(asking.asked).toEqual([
      { question: 'Remove 5 completed todos?', schema: { type: 'object', properties: {}, required: [] } },
    ])
  })
})

describe('what is shown', () => {
  const show = [diff('a', 'b'), code('x\n'.repeat(5_000))]

  const digestOf = (blocks: unknown) =>
    createHash('sha256')
      .update(`${canonicalJson(blocks)}`)
      .digest('base64url')

  it('is in the question for every gateway, and beside it for ours, which can tell that it is the same', async () => {
    const asking = person({ action: 'accept' }, accept({ warehouseId: 'w' }))
    await confirmWith(asking)({ question: 'Save?', show })
    await elicit(asking, { question: 'Which?', schema: warehouseSchema, show })
    const [confirmed, filled] = asking.asked.map(({ question, _meta }) => readMessage(question, _meta, digestOf))
    expect(confirmed).toEqual({ question: 'Save?', blocks: show })
    expect(filled).toEqual({ question: 'Which?', blocks: show })
  })

  it('is refused where the ask is made when nobody could be shown it', async () => {
    const asking = person()
    const asked = elicit(asking, { question: 'Which?', schema: warehouseSchema, show: [link('javascript:alert(1)')] })
    await expect(asked).rejects.toThrow('its address is refused')
    expect(asking.asked).toEqual([])
  })
})

describe('the outcome of a confirm', () => {
  const by = [{ principal: 'ada' }, { name: 'bo' }, { rule: 'r' }]
  it.each([
    [
      { action: 'accept', by },
      { action: 'accept', by },
    ],
    [
      { action: 'decline', reason: 'Not today.', by },
      { action: 'decline', reason: 'Not today.', by },
    ],
    [{ action: 'decline' }, { action: 'decline' }],
    [{ action: 'cancel' }, { action: 'cancel' }],
    [
      { action: 'cancel', why: 'no-person' },
      { action: 'cancel', why: 'no-person' },
    ],
    // Where nobody answered nobody declined.
    [
      { action: 'decline', why: 'no-capability' },
      { action: 'cancel', why: 'no-capability' },
    ],
    [{ action: 'decline', reason: 5, by: 'ada', why: 'bored' }, { action: 'decline' }],
    ['yes', { action: 'cancel' }],
  ])('of a gateway that says %j', async (said, outcome) => {
    expect(await confirmWith(person(said)).outcome('Go on?')).toEqual(outcome)
  })

  it('says that nobody could be asked', async () => {
    const asking = { canAsk: () => false, ask: async () => ({ action: 'accept' }) }
    expect(await confirmWith(asking).outcome('Go on?')).toEqual({ action: 'cancel', why: 'no-capability' })
  })

  it.each([
    [-32002, 'expired'],
    [-32010, 'no-capability'],
  ])('says why after error %d', async (code, why) => {
    const asking = { canAsk: () => true, ask: () => Promise.reject(new RpcError(code, 'no')) }
    expect(await confirmWith(asking).outcome('Go on?')).toEqual({ action: 'cancel', why })
  })
})

describe('an elicit', () => {
  it.each([
    ['that a Zod schema gives by itself', {}],
    ['that the author derives from it', { jsonSchema: z.toJSONSchema(warehouseSchema) }],
  ])('sends the form %s', async (_what, options) => {
    const asking = person(accept({ warehouseId: 'WH-7' }))
    const answer = await elicit(asking, { question: 'Which?', schema: warehouseSchema, ...options })
    expect(answer).toEqual({ warehouseId: 'WH-7' })
    expect(asking.asked).toEqual([{ question: 'Which?', schema: warehouseForm }])
  })

  it('sends a single text field for a validator that cannot describe itself', async () => {
    const asking = person(accept({ response: 'WH-7' }))
    const schema = v.object({ response: v.string() })
    expect(await elicit(asking, { question: 'Which?', schema })).toEqual({ response: 'WH-7' })
    expect(asking.asked[0]?.schema).toEqual({
      type: 'object',
      properties: { response: { type: 'string' } },
      required: ['response'],
    })
  })

  it('resolves to the bare value of a shorthand', async () => {
    const asking = person(accept({ value: 'green' }))
    expect(await elicit(asking, { question: 'Which colour?', schema: ['red', 'green'] })).toBe('green')
  })

  it('resolves to what the schema makes of an answer, and holds rules that no form can carry', async () => {
    const schema = z.object({ seats: z.number().refine(n => n % 2 === 0, 'Even, please.') })
    const asking = person(accept({ seats: 3 }), accept({ seats: 4 }))
    expect(await elicit(asking, { question: 'How many?', schema })).toEqual({ seats: 4 })
    expect(asking.asked[1]?.question).toBe('How many?\n\nThe last answer did not fit. seats: Even, please.')
    expect(asking.asked[1]?.schema).toMatchObject({ properties: { seats: { type: 'number', default: 3 } } })
  })

  it('asks for no secret, unless the author knows better', async () => {
    const schema = z.object({ apiKey: z.string() })
    await expect(elicit(person(), { question: 'Key?', schema })).rejects.toMatchObject({
      code: -32602,
      kind: 'SensitiveField',
    })
    const asking = person({ action: 'decline' })
    expect(await elicit(asking, { question: 'Which key?', schema, allow: ['apiKey'] })).toBeNull()
  })
})
