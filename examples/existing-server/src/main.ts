// The tool that was written by hand and the one in `asks`, side by side: they have to do the same.
import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/client'
import type { McpServer } from '@modelcontextprotocol/server'
import { createByHand } from './by-hand.js'
import { type Answers, connect } from './connect.js'
import { Tables } from './tables.js'
import { createWithBeckon } from './with-beckon.js'

type Create = (tables: Tables) => McpServer

const accept = (content = {}) => ({ action: 'accept', content }) as const
const stories: Record<string, Answers> = {
  accepted: [accept({ seats: 4 }), accept()],
  'asked again for an answer that does not fit': [accept({ seats: 3 }), accept({ seats: 6 }), accept()],
  'asked again for an answer of the wrong type': [accept({ seats: 'four' }), accept({ seats: 4 }), accept()],
  'declined at first': [{ action: 'decline' }],
  'cancelled at last': [accept({ seats: 4 }), { action: 'cancel' }],
}

for (const version of ['2025-11-25', '2026-07-28']) {
  for (const [name, answers] of Object.entries(stories)) {
    const [byHand, withBeckon] = [
      await tell(createByHand, version, answers),
      await tell(createWithBeckon, version, answers),
    ]
    assert.deepEqual(withBeckon, byHand, `${name}, on ${version}`)
    assert.equal(byHand.asked.length, answers.length, `${name}, on ${version}`)
  }
}
assert.deepEqual(await attack(createWithBeckon), await attack(createByHand))
console.log('existing-server: ok')

/** What a call comes to: what was asked, what was said and what was booked. */
async function tell(create: Create, version: string, answers: Answers) {
  const tables = new Tables()
  const { client, asked, close } = await connect(() => create(tables), version, answers)
  const said = await outcomeOf(client.callTool({ name: 'book', arguments: { day: 'Monday' } }))
  await close()
  return { asked, said, booked: tables.booked }
}

/** What a client gets that does not keep to the rules, or has nobody to ask. On 2026-07-28. */
async function attack(create: Create) {
  const tables = new Tables()
  const open = await connect(() => create(tables), '2026-07-28', [])
  const first = await round(open.client, { day: 'Monday' })
  const second = await round(open.client, { day: 'Monday' }, first, { seats: 4 })
  const forged = { ...second, requestState: changed(second.requestState) }
  const outcomes = {
    forged: await outcomeOf(round(open.client, { day: 'Monday' }, forged, {})),
    foreign: await outcomeOf(round(open.client, { day: 'Friday' }, second, {})),
    accepted: await outcomeOf(round(open.client, { day: 'Monday' }, second, {})),
    repeated: await outcomeOf(round(open.client, { day: 'Monday' }, second, {})),
  }
  await open.close()
  const mute = await connect(() => create(tables), '2026-07-28')
  const nobody = await outcomeOf(mute.client.callTool({ name: 'book', arguments: { day: 'Monday' } }))
  await mute.close()
  assert.deepEqual(tables.booked, ['4 on Monday'])
  assert.equal(outcomes.forged, 'refused')
  return { ...outcomes, nobody }
}

/** With another character in the middle: the last ones may stand for nothing. */
function changed(state: string): string {
  const middle = state.length >> 1
  return `${state.slice(0, middle)}${state[middle] === 'A' ? 'B' : 'A'}${state.slice(middle + 1)}`
}

interface Open {
  inputRequests: Record<string, unknown>
  requestState: string
}

/** One round by hand: whatever is open gets the answer. */
async function round(client: Client, args: { day: string }, open?: Open, answer?: object): Promise<Open> {
  const inputResponses = Object.fromEntries(Object.keys(open?.inputRequests ?? {}).map(key => [key, accept(answer)]))
  const retry = open && { inputResponses, requestState: open.requestState }
  const params = { name: 'book', arguments: args, ...retry }
  return (await client.callTool(params, { allowInputRequired: true })) as unknown as Open
}

/** What a call gave: a text, or that it was refused, as a result or as an error. */
async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    const { content, isError } = (await call) as { content: { text: string }[]; isError?: boolean }
    return isError ? 'refused' : content.map(({ text }) => text).join('\n')
  } catch {
    return 'refused'
  }
}
