// `sampling/request`: an application has the model behind its call complete something.
import { errorCodes, isRecord, type Params, RpcError } from '@beckon/core/json-rpc'
import { protocolCodes } from '../wire/protocol-codes.js'
import type { Invocation } from './invocation.js'
import { maxSamplingDepth } from './limits.js'

const defaultMaxTokens = 1_024

export async function sample(invocation: Invocation, params: Params): Promise<{ content: unknown }> {
  const { prompt, schema, maxTokens = defaultMaxTokens } = params
  if (typeof prompt !== 'string') throw new RpcError(errorCodes.invalidParams, '`prompt` must be a string.')
  if (!isRecord(invocation.ctx.clientCapabilities.sampling))
    throw new RpcError(protocolCodes.samplingNotAvailable, 'The client of this call does not offer its model.')
  if (invocation.depth >= maxSamplingDepth)
    throw new RpcError(protocolCodes.samplingDepth, `A model is asked at most ${maxSamplingDepth} levels deep.`, {
      depth: invocation.depth,
      max: maxSamplingDepth,
    })
  const result = await invocation.wait('sample', () =>
    invocation.ctx.sample({
      messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
      maxTokens,
      ...(schema !== undefined && { systemPrompt: answerWith(schema) }),
    }),
  )
  const text = textOf(result)
  return { content: schema === undefined ? text : parsed(text) }
}

function answerWith(schema: unknown): string {
  return `Answer with one JSON value that fits this JSON Schema, and with nothing else: ${JSON.stringify(schema)}`
}

function textOf({ content }: Record<string, unknown>): string {
  return [content]
    .flat()
    .map(block => (isRecord(block) && typeof block.text === 'string' ? block.text : ''))
    .join('')
}

/** The value that a model wrote, with or without a fence around it; what is not JSON is for the application to refuse. */
function parsed(text: string): unknown {
  const [, fenced = text] = /^\s*```(?:json)?\s*([\s\S]*?)\s*```\s*$/.exec(text) ?? []
  try {
    return JSON.parse(fenced)
  } catch {
    return text
  }
}
