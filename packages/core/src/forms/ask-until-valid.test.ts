import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Outcome } from '../ask/outcome.js'
import { askUntilValid } from './ask-until-valid.js'
import type { Form } from './form.js'

/** A person who answers like this, by turns; what they were asked is kept. */
function person(...outcomes: Outcome<unknown>[]) {
  const asked: { question: string; form: Form; attempt: number }[] = []
  const ask = async (given: { question: string; form: Form }, attempt: number) => {
    asked.push({ ...given, attempt })
    return outcomes[asked.length - 1] ?? { action: 'cancel' }
  }
  return { asked, ask }
}

const accept = (content: unknown) => ({ action: 'accept', content }) as const
const seats = z.object({ seats: z.number().refine(n => n % 2 === 0, 'Even, please.') })
const question = 'How many?'

describe('askUntilValid', () => {
  it('resolves to what the schema makes of the first answer that fits, with all that came with it', async () => {
    const by = [{ principal: 'ada' }]
    const { ask } = person({ ...accept({ seats: '4' }), by })
    const schema = { type: 'object', properties: { seats: { type: 'string' } } } as const
    expect(await askUntilValid({ question, schema }, ask)).toEqual({ ...accept({ seats: '4' }), by })
  })

  it('asks again with the reason and with what was typed', async () => {
    const { asked, ask } = person(accept({ seats: 3 }), accept({ seats: 5 }), accept({ seats: 4 }))
    expect(await askUntilValid({ question, schema: seats }, ask)).toEqual(accept({ seats: 4 }))
    const again = 'How many?\n\nThe last answer did not fit. seats: Even, please.'
    expect(asked).toMatchObject([
      { question, attempt: 1, form: { properties: { seats: { type: 'number' } } } },
      { question: again, attempt: 2, form: { properties: { seats: { default: 3 } } } },
      { question: again, attempt: 3, form: { properties: { seats: { default: 5 } } } },
    ])
  })

  it.each([{ action: 'decline', reason: 'No.' }, { action: 'cancel' }] as const)('passes %o on', async outcome => {
    expect(await askUntilValid({ question, schema: seats }, person(outcome).ask)).toEqual(outcome)
    const later = person(accept({}), outcome)
    expect(await askUntilValid({ question, schema: seats }, later.ask)).toEqual(outcome)
  })

  it.each([
    [undefined, 3],
    [1, 1],
    [2.5, 2],
  ])('with attempts %j asks %j times', async (attempts, times) => {
    const { asked, ask } = person(...Array.from({ length: 9 }, () => accept({})))
    await expect(askUntilValid({ question, schema: seats, attempts }, ask)).rejects.toMatchObject({
      kind: 'AnswerInvalid',
      issues: [{ path: ['seats'] }],
    })
    expect(asked).toHaveLength(times)
  })

  it('goes by what a sender makes of what it sent', async () => {
    const answers = [accept({ seats: 3 }), accept({ seats: 4 })]
    const steps = {
      send: async (_asked: object, attempt: number) => attempt,
      outcomeOf: (sent: number) => answers[sent - 1] ?? accept({}),
      give: (outcome: Outcome<unknown>) => ({ given: outcome }),
    }
    expect(await askUntilValid({ question, schema: seats }, steps)).toEqual({ given: accept({ seats: 4 }) })
  })

  it.each([0, -1, Number.NaN])('refuses %j attempts, before anyone is asked', async attempts => {
    const { asked, ask } = person()
    await expect(askUntilValid({ question, schema: seats, attempts }, ask)).rejects.toThrow(RangeError)
    expect(asked).toEqual([])
  })

  it('proposes values, of an object or of a bare one', async () => {
    const { asked, ask } = person()
    await askUntilValid({ question, schema: seats, initial: { seats: 2 } }, ask)
    await askUntilValid({ question, schema: ['red', 'green'], initial: 'green' }, ask)
    expect(asked).toMatchObject([
      { form: { properties: { seats: { default: 2 } } } },
      { form: { properties: { value: { default: 'green' } } } },
    ])
  })

  it('asks for no secret that is not allowed, and never shows one that was typed', async () => {
    const schema = z.object({ apiKey: z.string().max(3) })
    const { asked, ask } = person(accept({ apiKey: 'too long' }))
    await expect(askUntilValid({ question, schema }, ask)).rejects.toMatchObject({ kind: 'SensitiveField' })
    await askUntilValid({ question, schema, allow: ['apiKey'] }, ask)
    expect(asked).toHaveLength(2)
    expect(JSON.stringify(asked)).not.toContain('too long')
  })
})
