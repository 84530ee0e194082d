import fc from 'fast-check'
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

it.each([1, 2])('has no more than %i batches on their way', async atOnce => {
  let running = 0
  let most = 0
  const batcher = createBatcher<number, number>({
    fullAt: 2,
    atOnce,
    async run(operations) {
      most = Math.max(most, ++running)
      await new Promise(resolve => setTimeout(resolve, 5))
      running--
      return operations
    },
  })
  await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(batcher.add))
  expect(most).toBe(atOnce)
})

it('runs operations on the same target in the order that they came in, whatever else is on its way', async () => {
  const letters = fc.constantFrom('a', 'b', 'c')
  const targets = fc.uniqueArray(letters, { minLength: 1, maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(targets, fc.nat(3)), { maxLength: 12 }),
      fc.integer({ min: 1, max: 3 }),
      async (given, atOnce) => {
        const operations = given.map(([targets, turns], index) => ({ index, targets, turns }))
        const active = new Set<string>()
        const ran: (typeof operations)[number][] = []
        const batcher = createBatcher<(typeof operations)[number], number>({
          fullAt: 2,
          atOnce,
          targetsOf: ({ targets }) => targets,
          async run(batch) {
            const touched = new Set(batch.flatMap(({ targets }) => targets))
            for (const target of touched) expect(active.has(target)).toBe(false)
            for (const target of touched) active.add(target)
            ran.push(...batch)
            for (let turns = Math.max(...batch.map(({ turns }) => turns)); turns > 0; turns--)
              await new Promise(resolve => setImmediate(resolve))
            for (const target of touched) active.delete(target)
            return batch.map(({ index }) => index)
          },
        })
        expect(await Promise.all(operations.map(batcher.add))).toEqual(operations.map(({ index }) => index))
        for (const target of ['a', 'b', 'c'] as const) {
          const indices = ran.filter(({ targets }) => targets.includes(target)).map(({ index }) => index)
          expect(indices).toEqual([...indices].sort((a, b) => a - b))
        }
      },
    ),
  )
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

it('has the next batch on its way while half of the results are worked on, and then one for that half', async () => {
  const log: string[] = []
  const batcher = createBatcher<string, string>({
    fullAt: 100,
    atOnce: 2,
    async run(operations) {
      log.push(`${operations.length} sent`)
      await new Promise(resolve => setTimeout(resolve, 5))
      return operations
    },
  })
  await Promise.all(
    Array.from({ length: 16 }, async (_, index) => {
      await batcher.add('first')
      if (index === 15) log.push('the last one heard of the first batch')
      await batcher.add('second')
    }),
  )
  expect(log).toEqual(['16 sent', '8 sent', 'the last one heard of the first batch', '8 sent'])
})
