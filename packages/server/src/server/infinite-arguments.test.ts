// docs/security.md: "An answer counts only for the arguments that the person saw". crypto/digest.ts: "A short name for a value that two
// different values never share". 1e400 is JSON, and comes in as Infinity.
import { expect, it } from 'vitest'
import { callRaw } from '../../test/raw-call.js'
import { createServer } from '../index.js'

it.each([
  ['null', '1e400'],
  ['1e400', 'null'],
  ['-1e400', '1e400'],
])('refuses the yes to a limit of %s for one of %s', async (asked, sent) => {
  const done: unknown[] = []
  const server = createServer({ name: 'shop', version: '1.0.0', replay: 'always' })
  server.tool('pay', {}, async (input, ctx) => {
    if (!(await ctx.confirm('Pay within the limit?'))) return 'no'
    await ctx.step('pay', () => void done.push(Object(input).limit))
    return 'done'
  })
  const send = (limit: string, more: Record<string, unknown> = {}) =>
    callRaw(server, 'pay', { arguments: { limit: '$' }, ...more }, body => body.replace('"$"', limit))
  const first = await send(asked)
  // To refuse such a number at once is fine as well.
  if (first.error !== undefined) return
  const { requestState, inputRequests } = first.result
  const inputResponses = { [Object.keys(inputRequests)[0] ?? '']: { action: 'accept', content: {} } }
  const last = await send(sent, { requestState, inputResponses })
  expect({ done, isRefused: last.error !== undefined }).toEqual({ done: [], isRefused: true })
})
