import { AnswerInvalidError, CallCancelledError } from '@beckon/core'
import { isRecord, RpcError } from '@beckon/core/json-rpc'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Sampled, SampleOptions } from '../app/context.js'
import { jsonSchemaOf, type Validated, validate } from '../app/schema.js'
import { SamplingDepthError, SamplingNotAvailableError } from '../errors.js'
import { protocolCodes } from '../protocol/protocol-codes.js'

/** Puts a prompt to the model of the agent that called. */
export interface Sampling {
  /** Whether the agent lends its model, as far as this app was told. */
  canSample(): boolean
  /** The gateway's reply, whatever it is. */
  sample(request: { prompt: string; schema?: object; maxTokens?: number }): Promise<unknown>
}

export async function sample<S extends StandardSchemaV1 | undefined>(
  sampling: Sampling,
  { prompt, schema, maxTokens }: SampleOptions<S>,
): Promise<Sampled<S>>
export async function sample(
  sampling: Sampling,
  { prompt, schema, maxTokens }: SampleOptions<StandardSchemaV1 | undefined>,
): Promise<unknown> {
  if (!sampling.canSample()) throw new SamplingNotAvailableError()
  const request = {
    prompt,
    ...(schema !== undefined && { schema: jsonSchemaOf(schema, 'input') }),
    ...(maxTokens !== undefined && { maxTokens }),
  }
  const reply = await sampling.sample(request).catch(error => {
    throw sampleError(error)
  })
  const content = isRecord(reply) ? reply.content : undefined
  const validated = await validateContent(schema, content)
  if (validated.issues !== undefined) throw new AnswerInvalidError(validated.issues)
  return validated.value
}

/** A model answers with text: where that does not fit as it is, it may be JSON that does. */
async function validateContent(schema: StandardSchemaV1 | undefined, content: unknown): Promise<Validated> {
  const validated = await validate(schema, content)
  if (validated.issues === undefined || typeof content !== 'string') return validated
  try {
    return await validate(schema, JSON.parse(content))
  } catch {
    return validated
  }
}

function sampleError(error: unknown): unknown {
  if (!(error instanceof RpcError)) return error
  if (error.code === protocolCodes.samplingDepth) return new SamplingDepthError()
  if (error.code === protocolCodes.cancelled) return new CallCancelledError()
  return Object.assign(new SamplingNotAvailableError(), { cause: error })
}
