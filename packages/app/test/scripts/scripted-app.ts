import { z } from 'zod'
import type { App, Context } from '../../src/index.js'
import type { Script, ScriptedAction, ScriptedResource, ScriptedStep } from './script.js'

/** Has an app offer what a script takes for granted. */
export function offerFixture(app: App, { actions, resources = [] }: Script['fixture']): void {
  for (const action of actions) offerAction(app, action)
  for (const resource of resources) offerResource(app, resource)
}

function offerAction(app: App, action: ScriptedAction): void {
  const { name, description, input, output, annotations, timeoutMs } = action
  let builder = app.action(name)
  if (description !== undefined) builder = builder.describe(description)
  if (input !== undefined) builder = builder.input(z.fromJSONSchema(input as never), input as never)
  if (output !== undefined) builder = builder.output(z.fromJSONSchema(output as never), output as never)
  if (annotations !== undefined) builder = builder.annotate(annotations)
  if (timeoutMs !== undefined) builder = builder.timeout({ ms: timeoutMs })
  builder.handler(async (_input, ctx) => {
    if (action.confirms !== undefined) {
      const confirmed = await ctx.confirm({ question: action.confirms })
      if (action.returnsConfirmResult) return { confirmed }
    }
    const results: Record<string, unknown> = {}
    for (const step of action.does ?? []) Object.assign(results, await act(app, ctx, step))
    return 'returns' in action ? action.returns : results
  })
}

async function act(app: App, ctx: Context, step: ScriptedStep): Promise<object | undefined> {
  if ('confirm' in step) return { confirmed: await ctx.confirm(step.confirm) }
  if ('elicit' in step) {
    const { jsonSchema: schema, ...options } = step.elicit
    return { answer: await ctx.elicit({ ...options, schema }) }
  }
  if ('sample' in step) {
    const { schema, ...options } = step.sample
    const validator = schema === undefined ? undefined : z.fromJSONSchema(schema as never)
    return { sampled: await ctx.sample({ ...options, ...(validator !== undefined && { schema: validator }) }) }
  }
  if ('progress' in step) ctx.progress(step.progress)
  if ('log' in step) ctx.log(step.log)
  if ('throws' in step) throw new Error(step.throws)
  if ('offers' in step) offerAction(app, step.offers)
  if ('withdraws' in step)
    app
      .action(step.withdraws)
      .handler(() => {})
      .remove()
  if ('hangs' in step) await new Promise(resolve => ctx.signal.addEventListener('abort', resolve))
  return undefined
}

function offerResource(app: App, { name, description, value, fails, emits }: ScriptedResource): void {
  let resource = app.resource(name)
  if (description !== undefined) resource = resource.describe(description)
  resource = resource.read(() => {
    if (fails !== undefined) throw new Error(fails)
    return value
  })
  if (emits === undefined) return
  resource.subscribe(emit => {
    for (const next of emits) queueMicrotask(() => emit(next))
    return () => {}
  })
}
