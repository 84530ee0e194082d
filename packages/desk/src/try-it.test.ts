import type { TrialNews } from '@beckon/core/live'
import { expect, it } from 'vitest'
import { type TryIt, trialsOf } from './try-it.js'

async function newsOf(tryIt: TryIt): Promise<{ news: TrialNews[]; errors: unknown[] }> {
  const errors: unknown[] = []
  const news: TrialNews[] = []
  await new Promise<void>(resolve =>
    trialsOf(tryIt, error => errors.push(error))(one => {
      news.push(one)
      if (one.kind === 'ended') resolve()
    }),
  )
  return { news, errors }
}

it('tells where the asks of a trial are, and what came back', async () => {
  const { news, errors } = await newsOf(async trial => {
    trial.opened('call-1')
    return 'Done.'
  })
  expect(news).toEqual([
    { kind: 'opened', session: 'call-1' },
    { kind: 'ended', session: 'call-1', result: 'Done.' },
  ])
  expect(errors).toEqual([])
})

it('tells whoever tried, and the operator, why it failed', async () => {
  const { news, errors } = await newsOf(() => {
    throw new Error('Out of order.')
  })
  expect(news).toEqual([{ kind: 'ended', failure: 'Out of order.' }])
  expect(errors).toHaveLength(1)
})

it('says only that it is over where there is nothing to show', async () => {
  expect((await newsOf(() => undefined)).news).toEqual([{ kind: 'ended' }])
})
