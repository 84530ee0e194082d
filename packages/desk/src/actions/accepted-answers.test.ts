import { formOf } from '@beckon/core'
import { memoryStore } from 'beckon'
import type { DeskPolicy } from 'beckon/desk/adapter'
import { createTestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createParts, type DeskParts } from '../desk-parts.js'
import { openOnDesk } from '../turns/open-ask.js'

const form = formOf({
  type: 'object',
  properties: {
    table: { type: 'string', default: 'users' },
    limit: { type: 'integer', default: 5 },
    dry: { type: 'boolean', default: false },
    mode: { type: 'string', enum: ['soft', 'hard'], default: 'hard' },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['b'] },
    note: { type: 'string' },
  },
})
const asItIs = { table: 'users', limit: 5, dry: false, mode: 'hard', tags: ['b'] }
const clock = createTestClock()
let parts: DeskParts

beforeEach(() => {
  parts = createParts({ clock, store: memoryStore({ clock }) })
})

afterEach(() => parts.close())

function open(more: { approves?: boolean; policy?: DeskPolicy } = {}) {
  const { approves, policy } = more
  const subject = { server: 'db', tool: 'delete_rows', input: asItIs, call: 'c' }
  const request = { id: 'a', message: 'Let it run?', form, ...(approves !== undefined && { approves }) }
  const where = { linkTo: () => '', identifiesPeople: true }
  return openOnDesk(parts.turns, [subject, request, { expiresAt: clock.now() + 60_000, policy }], where)
}

function accept(answers?: object, principal = 'ann') {
  const action = { type: 'session/inputCompleted', requestId: 'c.a', response: 'accept', ...(answers && { answers }) }
  const viewer = { principal, device: 'd' }
  return parts.actions.dispatch(viewer, { session: 'call-c', on: 'session', dialect: '0.3', action })
}

describe('an accept of a call that may run', () => {
  it.each([undefined, {}])('has its arguments as they are, when a client says %j', async answers => {
    const ask = await open({ approves: true })
    await accept(answers)
    expect(await ask.outcome()).toMatchObject({ action: 'accept', content: asItIs })
  })

  it('has what was changed, and not what was taken out', async () => {
    const ask = await open({ approves: true })
    await accept({
      limit: { state: 'submitted', value: { kind: 'number', value: 1 } },
      tags: { state: 'skipped' },
    })
    const { tags: _, ...kept } = asItIs
    expect(await ask.outcome()).toMatchObject({ action: 'accept', content: { ...kept, limit: 1 } })
  })

  it('has nothing of what somebody else was writing', async () => {
    const ask = await open({ approves: true })
    const answer = { state: 'draft', value: { kind: 'text', value: 'oth' } }
    const action = { type: 'session/inputAnswerChanged', requestId: 'c.a', questionId: 'table', answer }
    const viewer = { principal: 'ben', device: 'd' }
    await parts.actions.dispatch(viewer, { session: 'call-c', on: 'session', dialect: '0.3', action })
    await accept()
    expect(await ask.outcome()).toMatchObject({ action: 'accept', content: asItIs })
  })

  it('is the same for those who say all of it and those who say nothing, where several have to', async () => {
    const ask = await open({ approves: true, policy: { quorum: 2 } })
    await accept({ limit: { state: 'submitted', value: { kind: 'number', value: 5 } } })
    await accept(undefined, 'ben')
    expect(await ask.outcome()).toMatchObject({ action: 'accept', content: asItIs })
  })
})

it('leaves what any other form proposes to the person who answers', async () => {
  const ask = await open()
  await accept()
  expect(await ask.outcome()).toMatchObject({ action: 'accept', content: {} })
})
