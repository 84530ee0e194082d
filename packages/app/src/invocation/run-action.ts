import { RpcError } from '@beckon/core/json-rpc'
import type { Definition } from '../app/action.js'
import type { Context } from '../app/context.js'
import { validate } from '../app/schema.js'
import { protocolCodes } from '../protocol/protocol-codes.js'
import { toRpcError } from '../protocol/to-rpc-error.js'
import type { Invocation } from './invocation.js'

/** Runs an action to its output, as JSON has it, or to an error of the wire. */
export async function runAction(
  { announced: { name }, input: inputSchema, output: outputSchema, handle }: Definition,
  given: unknown,
  invocation: Invocation,
  ctx: Context,
): Promise<unknown> {
  try {
    const output = await invocation.run(async () => {
      const input = await validate(inputSchema, given ?? {})
      if (input.issues !== undefined)
        throw new RpcError(protocolCodes.inputInvalid, `The input of "${name}" does not fit.`, input.issues)
      const result = await validate(outputSchema, await handle(input.value, ctx))
      if (result.issues !== undefined)
        throw new RpcError(protocolCodes.handler, `The result of "${name}" does not fit its schema.`, result.issues)
      return result.value
    })
    return output ?? null
  } catch (error) {
    throw toRpcError(error)
  }
}
