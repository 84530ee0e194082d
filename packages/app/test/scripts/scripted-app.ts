import { z } from 'zod'
import type { App, Context } from '../../src/index.js'
import type { Deed, Script, ScriptedAction, ScriptedResource } from './script.js'

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
    for (const deed of action.does ?? []) Object.assign(results, await act(app, ctx, deed))
    return 'returns' in action ? action.returns : results
  })
}

async function act(app: App, ctx: Context, deed: Deed): Promise<object | undefined> {
  if ('confirm' in deed) return { confirmed: await ctx.confirm(deed.confirm) }
  if ('elicit' in deed) {
    const { jsonSchema: schema, ...options } = deed.elicit
    return { answer: await ctx.elicit({ ...options, schema }) }
  }
  if ('sample' in deed) {
    const { schema, ...options } = deed.sample
    const validator = schema === undefined ? undefined : z.fromJSONSchema(schema as never)
    return { sampled: await ctx.sample({ ...options, ...(validator !== undefined && { schema: validator }) }) }
  }
  if ('progress' in deed) ctx.progress(deed.progress)
  if ('log' in deed) ctx.log(deed.log)
  if ('throws' in deed) throw new Error(deed.throws)
  if ('offers' in deed) offerAction(app, deed.offers)
  if ('withdraws' in deed)
    app
      .action(deed.withdraws)
      .handler(() => {})
      .remove()
  if ('hangs' in deed) await new Promise(resolve => ctx.signal.addEventListener('abort', resolve))
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
