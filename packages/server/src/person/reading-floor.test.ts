import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Ask } from '../call/ask.js'
import { createServer } from '../index.js'
import { createTestClient, createTestClock } from '../test/index.js'
import { readingFloorMs } from './reading-floor.js'

describe('the floor below which nobody can have read a question', () => {
  it('grows with what is shown, and stops at a second', () => {
    const floor = (message: string) => readingFloorMs({ kind: 'confirm', message }) ?? 0
    expect(floor('Sure?')).toBe(270)
    expect(floor('Remove 5 completed todos?')).toBeGreaterThan(floor('Sure?'))
    expect(floor('x'.repeat(100_000))).toBe(1_000)
    const properties = { seats: { type: 'integer', title: 'How many seats?', description: 'For all of you.' } } as const
    const form: Ask = { kind: 'form', message: 'Sure?', form: { type: 'object', properties } }
    expect(readingFloorMs(form)).toBeGreaterThan(floor('Sure?'))
  })

  it('is there for people alone', () => {
    expect(readingFloorMs({ kind: 'roots' })).toBeUndefined()
    expect(readingFloorMs({ kind: 'sample', params: {} })).toBeUndefined()
  })
})

// Published figures, and the fast end of each. Words a minute in silent reading: 238 on average, 175 to 300 for most adults
// (Brysbaert 2019), and some beyond either; someone who skims takes in a third of the words. Recognising something and pressing
// a button takes 384 ms on average (Laming 1968, as others cite it): 300 for someone fast, with a long tail, as response times have.
interface Person {
  readonly wordsPerMinute: number
  /** Of the words, those that are read at all. */
  readonly share: number
  readonly choiceMs: number
}

const person: fc.Arbitrary<Person> = fc.record({
  wordsPerMinute: fc.integer({ min: 90, max: 400 }),
  share: fc.double({ min: 1 / 3, max: 1, noNaN: true }),
  choiceMs: fc.integer({ min: 300, max: 3_000 }),
})
const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzäß'), minLength: 1, maxLength: 12 })
const question = fc.array(word, { minLength: 1, maxLength: 60 }).map(words => `${words.join(' ')}?`)

function delayOf({ wordsPerMinute, share, choiceMs }: Person, text: string): number {
  return choiceMs + (text.split(' ').length * share * 60_000) / wordsPerMinute
}

describe('a thousand people', () => {
  const clock = createTestClock()
  const server = createServer({ name: 's', version: '1' })
  let asked = ''
  let delayMs = 0
  server.tool('drop', { annotations: { destructive: true }, task: 'optional' }, async (_input, ctx) =>
    ctx.json(await ctx.confirm.outcome(asked)),
  )
  const wires = ['push', 'rounds', 'tasks'] as const
  const clients = wires.map(wire =>
    createTestClient(server, {
      wire,
      clock,
      answersItself: true,
      answer: async () => {
        await clock.advance(delayMs)
        return 'accept'
      },
    }),
  )
  afterAll(async () => {
    for (const client of clients) await client.close()
    await server.close()
  })

  it('are all above the floor, and as many programs below it', () => {
    fc.assert(
      fc.property(person, question, fc.integer({ min: 0, max: 75 }), (someone, message, programMs) => {
        const floor = readingFloorMs({ kind: 'confirm', message }) ?? 0
        expect(delayOf(someone, message)).toBeGreaterThanOrEqual(floor)
        expect(programMs).toBeLessThan(floor)
      }),
      { numRuns: 1_000 },
    )
  })

  it('are taken for people on every wire, and programs for none', async () => {
    let runs = 0
    await fc.assert(
      fc.asyncProperty(person, question, fc.integer({ min: 0, max: 75 }), async (someone, text, programMs) => {
        const client = clients[runs++ % clients.length]
        asked = text
        delayMs = delayOf(someone, text)
        expect((await client?.callTool('drop'))?.structuredContent).toEqual({ action: 'accept' })
        delayMs = programMs
        expect((await client?.callTool('drop'))?.structuredContent).toEqual({ action: 'cancel', why: 'no-person' })
      }),
      { numRuns: 60 },
    )
    expect(runs).toBe(60)
  })
})
