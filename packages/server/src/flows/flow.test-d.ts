import { expectTypeOf, it } from 'vitest'
import type { Context } from '../author/context.js'
import { type Flow, runFlow } from './index.js'

it('has what began a flow, and what ended it, with their types wherever they are found again', async () => {
  const flow: Flow<{ title: string }, { choice: string }> = {
    name: 'choose',
    endsBy: 'page',
    async page(visit) {
      expectTypeOf(visit.flow.data).toEqualTypeOf<{ title: string }>()
      // @ts-expect-error this flow does not end with that
      await visit.flow.complete({ choices: [] })
      return visit.again()
    },
  }
  const ctx = {} as Context
  const end = await runFlow(ctx, flow, { message: 'Where to?', begin: () => ({ data: { title: 'Cities' } }) })
  if (end.kind === 'done') expectTypeOf(end.result).toEqualTypeOf<{ choice: string } | null>()
  // @ts-expect-error this flow does not begin with that
  await runFlow(ctx, flow, { message: 'Where to?', begin: () => ({ data: null }) })
})
