import { expect, it } from 'vitest'
import { createBatcher } from './batcher.js'

it('runs what was added in one turn together, and what comes meanwhile together after it', async () => {
  const batches: number[][] = []
  let added: Promise<number[]> | undefined
  const batcher = createBatcher<number, number>({
    fullAt: 100,
    async run(operations) {
      batches.push([...operations])
      added ??= Promise.all([4, 5].map(batcher.add))
      return operations.map(operation => operation * 10)
    },
  })
  expect(await Promise.all([1, 2, 3].map(batcher.add))).toEqual([10, 20, 30])
  expect(await added).toEqual([40, 50])
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ])
})

it('never has two batches on their way', async () => {
  let running = 0
  const batcher = createBatcher<number, number>({
    fullAt: 2,
    async run(operations) {
      expect(++running).toBe(1)
      await new Promise(resolve => setImmediate(resolve))
      running--
      return operations
    },
  })
  await Promise.all([1, 2, 3, 4, 5].map(batcher.add))
})

it('fills a batch up to a weight, and sends what is heavier alone', async () => {
  const batches: number[][] = []
  const batcher = createBatcher<number, number>({
    fullAt: 10,
    weigh: weight => weight,
    async run(operations) {
      batches.push([...operations])
      return operations
    },
  })
  await Promise.all([4, 6, 1, 99, 3, 3].map(batcher.add))
  expect(batches).toEqual([[4, 6], [1], [99], [3, 3]])
})

it('rejects the operations of a batch that failed, and no others', async () => {
  const batcher = createBatcher<string, string>({
    fullAt: 2,
    async run(operations) {
      if (operations.includes('bad')) throw new Error('this batch')
      return operations
    },
  })
  const results = await Promise.allSettled(['bad', 'with it', 'after it'].map(batcher.add))
  expect(results.map(result => result.status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})

it('is drained when nothing is left, also when the last batch failed', async () => {
  let ran = 0
  const batcher = createBatcher<number, number>({
    fullAt: 1,
    async run() {
      ran++
      throw new Error('away')
    },
  })
  await batcher.drained()
  const calls = [1, 2, 3].map(operation => batcher.add(operation).catch(() => {}))
  await batcher.drained()
  expect(ran).toBe(3)
  await Promise.all(calls)
})

it('has the next batch on its way while whoever waited for the other half works on', async () => {
  const log: string[] = []
  let batches = 0
  const batcher = createBatcher<string, string>({
    fullAt: 100,
    async run(operations) {
      const batch = ++batches
      log.push(`batch ${batch} of ${operations.length} sent`)
      await new Promise(resolve => setImmediate(resolve))
      return operations
    },
  })
  await Promise.all(
    Array.from({ length: 16 }, async (_, index) => {
      await batcher.add('first')
      if (index === 15) log.push('the last of the first batch heard')
      await batcher.add('second')
    }),
  )
  expect(log).toEqual([
    'batch 1 of 16 sent',
    'batch 2 of 8 sent',
    'the last of the first batch heard',
    'batch 3 of 8 sent',
  ])
})
