import { randomBytes, randomUUID } from 'node:crypto'
import {
  type CallToolResult,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { party, type Tables, tool } from './tables.js'

/** What the client carries from one round to the next. */
interface Progress {
  /** Of the call: it books once, however often its last round is repeated. */
  id: string
  /** The arguments that the person was asked about. */
  day: string
  seats?: number
}

const codec = createRequestStateCodec<Progress>({
  key: randomBytes(32),
  ttlSeconds: 60 * 60,
  bind: ctx => ctx.mcpReq.method,
})
/** The SDK has a new server for every request: this is for all of them. */
const results = new Map<string, CallToolResult>()

export function createByHand(tables: Tables): McpServer {
  const server = new McpServer({ name: 'tables', version: '1.0.0' }, { requestState: { verify: codec.verify } })
  server.registerTool('book', tool, async ({ day }, ctx) => {
    const before = ctx.mcpReq.requestState<Progress>()
    // Without a state nothing was asked yet, and what came along is no answer.
    if (before === undefined) return askSeats({ id: randomUUID(), day }, ctx)
    if (before.day !== day) throw new Error('These answers belong to another booking.')
    const known = results.get(before.id)
    if (known !== undefined) return known

    if (before.seats === undefined) {
      const answer = inputResponse(ctx.mcpReq.inputResponses, 'party')
      if (answer.kind !== 'elicit') return askSeats(before, ctx)
      if (answer.action !== 'accept') return text('Not booked.')
      const checked = party.safeParse(answer.content)
      if (!checked.success) return askSeats(before, ctx, checked.error.issues.map(issue => issue.message).join(' '))
      return askConfirmation({ ...before, seats: checked.data.seats }, ctx)
    }

    const answer = inputResponse(ctx.mcpReq.inputResponses, 'confirmation')
    if (answer.kind !== 'elicit') return askConfirmation(before, ctx)
    const result = text(answer.action === 'accept' ? tables.book(day, before.seats) : 'Not booked.')
    results.set(before.id, result)
    setTimeout(() => results.delete(before.id), 60 * 60 * 1000).unref()
    return result
  })
  return server
}

async function askSeats(progress: Progress, ctx: ServerContext, wrong?: string): Promise<InputRequiredResult> {
  const question = `How many seats on ${progress.day}?`
  return inputRequired({
    inputRequests: {
      party: inputRequired.elicit({
        message: wrong === undefined ? question : `${question}\n\nThe last answer did not fit. ${wrong}`,
        requestedSchema: {
          type: 'object',
          properties: { seats: { type: 'integer', minimum: 1, maximum: 12 } },
          required: ['seats'],
        },
      }),
    },
    requestState: await codec.mint(progress, ctx),
  })
}

async function askConfirmation(progress: Progress, ctx: ServerContext): Promise<InputRequiredResult> {
  const message = `Book ${progress.seats} seats on ${progress.day}?`
  return inputRequired({
    inputRequests: {
      confirmation: inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: {} } }),
    },
    requestState: await codec.mint(progress, ctx),
  })
}

function text(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}
