import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentFor, forms } from '../../test/arbitraries.js'
import { checkContent } from './check-content.js'
import type { Form } from './form.js'
import { lowerForm, raiseContent } from './lower-form.js'

const form: Form = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', default: 'Jo', minLength: 1 },
    ready: { type: 'boolean', default: true },
    size: { type: 'integer', minimum: 1, default: 2 },
    level: { type: 'string', description: 'How urgent', oneOf: [{ const: 'lo', title: 'Low' }], default: 'lo' },
    plain: { type: 'string', title: 'Plain', enum: ['a', 'b'] },
    tags: {
      type: 'array',
      title: 'Tags',
      description: 'Any',
      items: { type: 'string', enum: ['x', 'y'] },
      minItems: 1,
      default: ['y'],
    },
  },
  required: ['name', 'tags'],
}

describe('lowerForm', () => {
  it.each(['2025-11-25', '2026-07-28'] as const)('sends a form as it is on %s', revision => {
    expect(lowerForm(form, revision)).toBe(form)
    const content = { name: 'a' }
    expect(raiseContent(form, content, revision)).toBe(content)
  })

  it('says the same in what 2025-06-18 knows', () => {
    expect(lowerForm(form, '2025-06-18')).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name', minLength: 1 },
        ready: { type: 'boolean', default: true },
        size: { type: 'integer', minimum: 1 },
        level: { type: 'string', description: 'How urgent', enum: ['lo'], enumNames: ['Low'] },
        plain: { type: 'string', title: 'Plain', enum: ['a', 'b'] },
        'tags.x': { type: 'boolean', title: 'Tags: x', description: 'Any', default: false },
        'tags.y': { type: 'boolean', title: 'Tags: y', description: 'Any', default: true },
      },
      required: ['name'],
    })
  })

  it('names the field of an option apart from every other field', () => {
    const crowded: Form = {
      type: 'object',
      properties: {
        a: { type: 'array', items: { type: 'string', enum: ['b.c', 'x'] } },
        'a.b': { type: 'array', items: { anyOf: [{ const: 'c', title: 'C' }] } },
        'a.x': { type: 'boolean' },
      },
    }
    const lowered = lowerForm(crowded, '2025-06-18')
    expect(Object.keys(lowered.properties)).toEqual(['a.b.c', 'a.x_', 'a.b.c_', 'a.x'])
    const raised = raiseContent(crowded, { 'a.b.c': true, 'a.x_': false, 'a.b.c_': true, 'a.x': true }, '2025-06-18')
    expect(raised).toEqual({ a: ['b.c'], 'a.b': ['c'], 'a.x': true })
  })
})

describe('raiseContent', () => {
  it('gives a required multi-select an empty selection, and leaves an optional one out, when nobody touched it', () => {
    expect(raiseContent(form, { name: 'a' }, '2025-06-18')).toEqual({ name: 'a', tags: [] })
    expect(raiseContent({ ...form, required: [] }, {}, '2025-06-18')).toEqual({})
  })

  it.each([null, 'text', [1]])('leaves %j for the check to refuse', content => {
    expect(raiseContent(form, content, '2025-06-18')).toBe(content)
  })

  it('leaves a box that is neither yes nor no for the check to refuse', () => {
    const raised = raiseContent(form, { name: 'a', 'tags.x': 'yes' }, '2025-06-18')
    expect(checkContent(form, raised).issues).toEqual([{ path: ['tags'], message: 'Choose from the options.' }])
  })

  it('reads back what a person who sees the lowered form would enter, for every form and answer', () => {
    const revision = '2025-06-18'
    fc.assert(
      fc.property(
        forms.chain(any => fc.tuple(fc.constant(any), contentFor(any))),
        ([any, content]) => {
          const checked = checkContent(any, content)
          if (checked.issues !== undefined) return
          const lowered = lowerForm(any, revision)
          const entered = enter(any, lowered, checked.value)
          expect(checkContent(lowered, entered)).toEqual({ value: entered })
          expect(raiseContent(any, entered, revision)).toEqual(sorted(any, checked.value))
        },
      ),
      { numRuns: 1500 },
    )
  })
})

/** What a person enters into a lowered form to say what `content` says: boxes in the order of the lowered form. */
function enter(original: Form, lowered: Form, content: Record<string, unknown>): Record<string, unknown> {
  const boxes = Object.keys(lowered.properties).filter(name => !Object.hasOwn(original.properties, name))
  const entries: [string, unknown][] = []
  for (const [name, field] of Object.entries(original.properties)) {
    const value = Object.hasOwn(content, name) ? content[name] : undefined
    if (field.type !== 'array') {
      if (value !== undefined) entries.push([name, value])
      continue
    }
    const choices = 'anyOf' in field.items ? field.items.anyOf.map(choice => choice.const) : field.items.enum
    const own = boxes.splice(0, choices.length)
    if (Array.isArray(value))
      entries.push(...choices.map((choice, index): [string, unknown] => [`${own[index]}`, value.includes(choice)]))
  }
  return Object.fromEntries(entries)
}

/** Boxes have no order and no repeats: a selection comes back as a set, in the order of the options. */
function sorted(original: Form, content: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => {
      const field = original.properties[name]
      if (field?.type !== 'array' || !Array.isArray(value)) return [name, value]
      const choices = 'anyOf' in field.items ? field.items.anyOf.map(choice => choice.const) : field.items.enum
      return [name, choices.filter(choice => value.includes(choice))]
    }),
  )
}
