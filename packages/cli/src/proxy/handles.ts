// Whose call is whose, where clients are anonymous: what a client calls itself is anybody's word. Each call that waits for a
// person has a handle that nobody can guess, and anyone who brings it back goes on with it, as `createServer` has it.
import { randomBytes } from 'node:crypto'
import { type Fields, fields } from '../fields.js'

/** The argument under which a model brings a handle back. */
const handleArgument = 'beckon'

const handleSchema = {
  type: 'object',
  description: 'Only when an earlier result of this tool asked for it: the handle from that result.',
  properties: { handle: { type: 'string' } },
  required: ['handle'],
} as const

/** A server of ours behind the proxy gives out handles as well, and gets back what does not begin with this. */
const ours = 'proxy-'

export function newHandle(): string {
  return `${ours}${randomBytes(18).toString('base64url')}`
}

/** A list of tools that each take a handle. */
export function withHandles(result: Fields): Fields {
  if (!Array.isArray(result.tools)) return result
  const tools = result.tools.map(tool => {
    const inputSchema = fields(fields(tool).inputSchema)
    const properties = { [handleArgument]: handleSchema, ...fields(inputSchema.properties) }
    return { ...fields(tool), inputSchema: { ...inputSchema, properties } }
  })
  return { ...result, tools }
}

/** A call without the handle of ours that was in it, and that handle. */
export function takeHandle(call: Fields): { readonly call: Fields; readonly handle: string | undefined } {
  const { [handleArgument]: brought, ...rest } = fields(call.arguments)
  const { handle } = fields(brought)
  const isOurs = typeof handle === 'string' && handle.startsWith(ours)
  return isOurs ? { call: { ...call, arguments: rest }, handle } : { call, handle: undefined }
}

/** What a model is told to bring back. */
export function bringBack(handle: string): string {
  return ` and "${handleArgument}": {"handle":"${handle}"}`
}
