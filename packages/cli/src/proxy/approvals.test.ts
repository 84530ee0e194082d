// What a call runs with that a rule or a person has let run: the arguments that were shown, and what the model reads where it does not.
import type { Content, Form } from '@beckon/core'
import { createDesk } from '@beckon/desk'
import type { AskDesk, DeskOutcome } from 'beckon/desk/adapter'
import { describe, expect, it } from 'vitest'
import type { Fields } from '../fields.js'
import { Approvals } from './approvals.js'
import type { Upstream } from './upstream.js'

function upstreamWith(properties: Fields): Upstream {
  const tool = { name: 'delete_rows', inputSchema: { type: 'object', properties } }
  return { name: 'db', onNotification() {}, forward: async () => ({ tools: [tool] }) } as unknown as Upstream
}

const decide = (desk: AskDesk, properties: Fields, input: Fields) =>
  new Approvals(desk).decide(
    upstreamWith(properties),
    { name: 'delete_rows', arguments: input },
    new AbortController().signal,
  )

/** A desk where every ask ends in one way, as it is said of its form. */
function deskWhere(answer: (form: Form | undefined) => DeskOutcome): AskDesk {
  return {
    open: async (_subject, { id, form }) => ({
      id,
      link: '',
      outcome: async () => answer(form),
      withdraw: async () => {},
    }),
  }
}

/** A person accepts what stands in the form. */
function asItIs(form: Form | undefined): DeskOutcome {
  const presets = Object.entries(form?.properties ?? {}).flatMap(([name, { default: preset }]) =>
    preset === undefined ? [] : [[name, preset] as const],
  )
  return { action: 'accept', content: Object.fromEntries(presets) as Content, by: [{ principal: 'ann' }] }
}

const arguments_: [string, Fields, Fields][] = [
  ['an integer', { limit: { type: 'integer' } }, { limit: 5 }],
  ['a fraction where an integer is wanted', { limit: { type: 'integer' } }, { limit: 5.5 }],
  ['a number that is too low', { limit: { type: 'integer', minimum: 10 } }, { limit: 5 }],
  ['none of the choices', { table: { type: 'string', enum: ['a', 'b'] } }, { table: 'c' }],
  ['a text for a number', { limit: { type: 'integer' } }, { limit: '5' }],
  ['an empty text', { table: { type: 'string' } }, { table: '' }],
  ['a text that is too long', { table: { type: 'string', maxLength: 2 } }, { table: 'abc' }],
  ['a moment', { since: { type: 'string', format: 'date-time' } }, { since: '2026-01-01T00:00:00.123Z' }],
  ['a moment that is none', { since: { type: 'string', format: 'date-time' } }, { since: 'yesterday' }],
  ['nothing', { limit: { type: ['integer', 'null'] } }, { limit: null }],
  ['an argument that the tool does not have', { limit: { type: 'integer' } }, { constructor: 'x' }],
]

describe('a call that is let run as it is', () => {
  it.each(arguments_)('has %s when a person accepts it', async (_, properties, input) => {
    const verdict = await decide(deskWhere(asItIs), properties, input)
    expect(verdict).toMatchObject({ isChanged: false, params: { arguments: input } })
  })

  it.each(arguments_)('has %s when a rule of the desk allows it', async (_, properties, input) => {
    const desk = createDesk({ rules: [{ id: 'few', effect: 'allow', match: { tool: '*', destructive: true } }] })
    try {
      expect(await decide(desk, properties, input)).toMatchObject({ isChanged: false, params: { arguments: input } })
    } finally {
      await desk.close()
    }
  })

  it('does not run where a rule gives back another', async () => {
    const desk = deskWhere(() => ({ action: 'accept', content: {}, by: [{ rule: 'few' }] }))
    const verdict = await decide(desk, { limit: { type: 'integer' } }, { limit: 5 })
    expect(JSON.stringify(verdict)).toContain('No rule allows \\"delete_rows\\" with other arguments.')
  })
})

describe('a control that a person gets for an argument', () => {
  it('is one of its kind where it can hold it, and takes JSON where it cannot', async () => {
    const forms: unknown[] = []
    const desk = deskWhere(form => {
      forms.push(form?.properties)
      return asItIs(form)
    })
    const limit = { type: 'integer', title: 'Limit' }
    await decide(desk, { limit }, { limit: 5 })
    await decide(desk, { limit }, { limit: 5.5 })
    expect(forms).toEqual([
      { limit: { ...limit, default: 5 } },
      { limit: { type: 'string', title: 'Limit', description: 'As JSON.', default: '5.5' } },
    ])
  })

  it('never shows what is a secret by its format', async () => {
    const forms: unknown[] = []
    const desk = deskWhere(form => {
      forms.push(form)
      return asItIs(form)
    })
    const properties = { limit: { type: 'integer' }, pw: { type: 'string', format: 'password' } }
    const verdict = await decide(desk, properties, { limit: 5, pw: '' })
    expect(Object.keys((forms[0] as Form).properties)).toEqual(['limit'])
    expect(verdict).toMatchObject({ params: { arguments: { limit: 5, pw: '' } } })
  })
})

describe('a call that does not run', () => {
  const declined = (outcome: DeskOutcome) =>
    decide(
      deskWhere(() => outcome),
      { limit: { type: 'integer' } },
      {},
    )

  it('is a person who said no, in their words', async () => {
    const verdict = await declined({ action: 'decline', reason: 'Not today.', by: [{ principal: 'ann' }] })
    expect(JSON.stringify(verdict)).toContain(
      JSON.stringify('A person did not let "delete_rows" run. They said: "Not today."').slice(1, -1),
    )
  })

  it.each([
    ['the desk', [{ rule: 'no-delete' }]],
    ['a person', [{ rule: 'no-delete', principal: 'ann' }]],
  ])('is a rule of %s, where nobody was asked, with its reason', async (_, by) => {
    const verdict = await declined({ action: 'decline', reason: 'Rows are deleted by hand.', by })
    expect(JSON.stringify(verdict)).toContain(
      JSON.stringify('A rule of this desk does not allow "delete_rows". Its reason: "Rows are deleted by hand."').slice(
        1,
        -1,
      ),
    )
    expect(JSON.stringify(verdict)).not.toContain('person')
    const silent = JSON.stringify(await declined({ action: 'decline', by }))
    expect(silent).toContain('does not allow \\"delete_rows\\". It did not run.')
  })
})
