import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentFor, forms } from '../../test/arbitraries.js'
import { checkContent } from '../forms/check-content.js'
import { describeFieldProblem } from '../forms/field-problem.js'
import { formOf } from '../forms/form-of.js'
import { checkAnswer } from './check-answer.js'
import { answersOf, contentOf, draftsOf } from './content-of.js'
import type { Answer, Question } from './question.js'
import { questionsOf } from './questions-of.js'

const valid = forms
  .chain(form => fc.tuple(fc.constant(form), contentFor(form)))
  .map(([form, content]) => ({ form, checked: checkContent(form, content) }))

describe('questionsOf', () => {
  it('shows each field as a person sees it', () => {
    const form = formOf({
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name', description: 'Who are you?', minLength: 1, maxLength: 9, default: 'Jo' },
        mail: { type: 'string', format: 'email' },
        age: { type: 'integer', title: 'Age', minimum: 1, maximum: 9, default: 2 },
        score: { type: 'number', maximum: 1 },
        ok: { type: 'boolean', default: false },
        fine: { type: 'boolean' },
        size: {
          type: 'string',
          oneOf: [
            { const: 's', title: 'Small' },
            { const: 'm', title: 'Medium' },
          ],
          default: 'm',
        },
        old: { type: 'string', enum: ['a'], enumNames: ['A'] },
        tags: { type: 'array', items: { type: 'string', enum: ['x', 'y'] }, minItems: 1, maxItems: 2, default: ['y'] },
        more: { type: 'array', items: { anyOf: [{ const: 'p', title: 'P' }] } },
      },
      required: ['name'],
    })
    expect(questionsOf(form)).toEqual([
      {
        id: 'name',
        kind: 'text',
        title: 'Name',
        message: 'Who are you?',
        required: true,
        min: 1,
        max: 9,
        defaultValue: 'Jo',
      },
      { id: 'mail', kind: 'text', title: 'mail', message: 'mail', format: 'email' },
      { id: 'age', kind: 'integer', title: 'Age', message: 'Age', min: 1, max: 9, defaultValue: 2 },
      { id: 'score', kind: 'number', title: 'score', message: 'score', max: 1 },
      { id: 'ok', kind: 'boolean', title: 'ok', message: 'ok', defaultValue: false },
      { id: 'fine', kind: 'boolean', title: 'fine', message: 'fine' },
      {
        id: 'size',
        kind: 'single-select',
        title: 'size',
        message: 'size',
        options: [
          { id: 's', label: 'Small' },
          { id: 'm', label: 'Medium', recommended: true },
        ],
        allowFreeformInput: false,
      },
      {
        id: 'old',
        kind: 'single-select',
        title: 'old',
        message: 'old',
        options: [{ id: 'a', label: 'A' }],
        allowFreeformInput: false,
      },
      {
        id: 'tags',
        kind: 'multi-select',
        title: 'tags',
        message: 'tags',
        options: [
          { id: 'x', label: 'x' },
          { id: 'y', label: 'y', recommended: true },
        ],
        allowFreeformInput: false,
        min: 1,
        max: 2,
      },
      {
        id: 'more',
        kind: 'multi-select',
        title: 'more',
        message: 'more',
        options: [{ id: 'p', label: 'P' }],
        allowFreeformInput: false,
      },
    ])
  })
})

it('labels a choice with its value where the older list of names is short', () => {
  const options = questionsOf({
    type: 'object',
    properties: { it: { type: 'string', enum: ['a', 'b'], enumNames: ['A'] } },
  }).flatMap(question => ('options' in question ? question.options : []))
  expect(options).toEqual([
    { id: 'a', label: 'A' },
    { id: 'b', label: 'b' },
  ])
})

describe('contentOf', () => {
  it('is the inverse of answersOf for every form and content', () => {
    fc.assert(
      fc.property(valid, ({ form, checked }) => {
        if (checked.issues !== undefined) return
        const answers = answersOf(form, checked.value)
        expect(contentOf(form, answers)).toEqual(checked.value)
        expect(contentOf(questionsOf(form), answers)).toEqual(checked.value)
      }),
      { numRuns: 1500 },
    )
  })

  it('counts only what was submitted, and only for questions that are there', () => {
    const form = formOf({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' }, d: { type: 'string' } },
    })
    const text = (value: string) => ({ kind: 'text' as const, value })
    const answers: Record<string, Answer> = {
      a: { state: 'submitted', value: text('x') },
      b: { state: 'draft', value: text('y') },
      c: { state: 'skipped' },
      unknown: { state: 'submitted', value: text('z') },
    }
    expect(contentOf(form, answers)).toEqual({ a: 'x' })
    expect(answersOf(form, { a: 'x', unknown: 'z' }, 'draft')).toEqual({ a: { state: 'draft', value: text('x') } })
  })

  it('lets free-form text replace a selection and join a multi-selection', () => {
    const options = [{ id: 'x', label: 'X' }]
    const questions: Question[] = [
      { id: 'one', kind: 'single-select', message: 'One', options, allowFreeformInput: true },
      { id: 'plain', kind: 'single-select', message: 'Plain', options },
      { id: 'any', kind: 'multi-select', message: 'Any', options, allowFreeformInput: true },
    ]
    const answers: Record<string, Answer> = {
      one: { state: 'submitted', value: { kind: 'selected', value: 'x', freeformValues: ['mine'] } },
      plain: { state: 'submitted', value: { kind: 'selected', value: 'x', freeformValues: [] } },
      any: { state: 'submitted', value: { kind: 'selected-many', value: ['x'], freeformValues: ['mine'] } },
    }
    expect(contentOf(questions, answers)).toEqual({ one: 'mine', plain: 'x', any: ['x', 'mine'] })
  })
})

describe('checkAnswer', () => {
  it('takes an answer exactly when the form takes its value', () => {
    fc.assert(
      fc.property(
        forms.chain(form => fc.tuple(fc.constant(form), contentFor(form))),
        ([form, content]) => {
          for (const question of questionsOf(form)) {
            const given = Object.hasOwn(content, question.id) ? content[question.id] : undefined
            if (given === undefined) continue
            const alone = {
              type: 'object' as const,
              properties: Object.fromEntries([[question.id, form.properties[question.id]]]),
            }
            const kind = {
              text: 'text',
              number: 'number',
              integer: 'number',
              boolean: 'boolean',
              'single-select': 'selected',
              'multi-select': 'selected-many',
            }[question.kind]
            const problem = checkAnswer(question, { state: 'submitted', value: { kind, value: given } })
            expect(problem && describeFieldProblem(problem)).toBe(
              checkContent(formOf(alone, { allow: [question.id] }), content).issues?.[0]?.message,
            )
          }
        },
      ),
      { numRuns: 800 },
    )
  })

  it('never throws, whatever comes', () => {
    const questions = questionsOf(
      formOf({
        type: 'object',
        properties: {
          a: { type: 'string', enum: ['x'] },
          b: { type: 'array', items: { enum: ['x'] } },
          c: { type: 'number' },
        },
      }),
    )
    fc.assert(
      fc.property(fc.constantFrom(...questions), fc.anything(), (question, answer) => {
        const problem = checkAnswer(question, answer)
        if (problem !== undefined) expect(describeFieldProblem(problem)).toMatch(/^[A-Z].*\.$/)
      }),
    )
  })

  const options = [
    { id: 'x', label: 'X' },
    { id: 'y', label: 'Y' },
  ]
  const text: Question = { id: 'q', kind: 'text', message: 'Q', min: 3, max: 5, format: 'email' }
  const free: Question = { id: 'q', kind: 'single-select', message: 'Q', options, allowFreeformInput: true }
  const one: Question = { id: 'q', kind: 'single-select', message: 'Q', options }
  const many: Question = { id: 'q', kind: 'multi-select', message: 'Q', options, min: 2, max: 2 }
  const manyFree: Question = { ...many, allowFreeformInput: true }
  const whole: Question = { id: 'q', kind: 'integer', message: 'Q', min: 5 }
  const yes: Question = { id: 'q', kind: 'boolean', message: 'Q' }
  const unknownFormat: Question = { id: 'q', kind: 'text', message: 'Q', format: 'color' }

  it.each<[string, Question, unknown, string | undefined]>([
    ['nothing', text, undefined, 'In an answer, answer must be an object with a state.'],
    ['another state', text, { state: 'done' }, 'In an answer, state must be draft, submitted or skipped.'],
    ['no value', text, { state: 'draft' }, 'In an answer, value must be an object.'],
    [
      'another kind',
      text,
      { state: 'draft', value: { kind: 'number', value: 1 } },
      'In an answer, value.kind must be "text".',
    ],
    ['a kind without its value', text, { state: 'draft', value: { kind: 'text', value: 1 } }, 'Enter a text.'],
    ['a half-typed draft', text, { state: 'draft', value: { kind: 'text', value: 'a' } }, undefined],
    [
      'a half-typed answer',
      text,
      { state: 'submitted', value: { kind: 'text', value: 'a' } },
      'Enter at least 3 characters.',
    ],
    ['a number on its way', whole, { state: 'draft', value: { kind: 'number', value: 1.5 } }, undefined],
    ['a number out of bounds', whole, { state: 'submitted', value: { kind: 'number', value: 1 } }, 'Enter 5 or more.'],
    ['a broken number', whole, { state: 'submitted', value: { kind: 'number', value: 5.5 } }, 'Enter a whole number.'],
    ['a yes', yes, { state: 'draft', value: { kind: 'boolean', value: true } }, undefined],
    [
      'a format that we do not know',
      unknownFormat,
      { state: 'submitted', value: { kind: 'text', value: 'red' } },
      undefined,
    ],
    ['an option', one, { state: 'draft', value: { kind: 'selected', value: 'x' } }, undefined],
    [
      'an option that is not there',
      one,
      { state: 'draft', value: { kind: 'selected', value: 'z' } },
      'Choose one of the options.',
    ],
    [
      'other words',
      one,
      { state: 'draft', value: { kind: 'selected', value: 'x', freeformValues: ['z'] } },
      'This question takes no answer in other words.',
    ],
    [
      'other words where they may be',
      free,
      { state: 'submitted', value: { kind: 'selected', value: '', freeformValues: ['z'] } },
      undefined,
    ],
    [
      'two free-form texts for one',
      free,
      { state: 'submitted', value: { kind: 'selected', value: '', freeformValues: ['a', 'b'] } },
      'Choose one of the options.',
    ],
    [
      'free-form text beside no text',
      free,
      { state: 'submitted', value: { kind: 'selected', value: {}, freeformValues: ['a'] } },
      'Choose one of the options.',
    ],
    [
      'free-form values that are no texts',
      free,
      { state: 'draft', value: { kind: 'selected', value: '', freeformValues: [1] } },
      'In an answer, freeformValues must be a list of strings.',
    ],
    ['too few on the way', many, { state: 'draft', value: { kind: 'selected-many', value: ['x'] } }, undefined],
    [
      'too few',
      many,
      { state: 'submitted', value: { kind: 'selected-many', value: ['x'] } },
      'Choose at least 2 options.',
    ],
    [
      'one with one in other words',
      manyFree,
      { state: 'submitted', value: { kind: 'selected-many', value: ['x'], freeformValues: ['z'] } },
      undefined,
    ],
    [
      'too many with other words',
      manyFree,
      { state: 'submitted', value: { kind: 'selected-many', value: ['x', 'y'], freeformValues: ['z'] } },
      'Choose at most 2 options.',
    ],
    ['skipped', text, { state: 'skipped' }, undefined],
    ['skipped with a word', text, { state: 'skipped', freeformValues: ['no'] }, undefined],
    [
      'skipped with no word',
      text,
      { state: 'skipped', freeformValues: 'no' },
      'In an answer, freeformValues must be a list of strings.',
    ],
  ])('%s', (_what, question, answer, reason) => {
    const problem = checkAnswer(question, answer)
    expect(problem && describeFieldProblem(problem)).toBe(reason)
  })
})

it('draftsOf has what selects start with, and leaves the rest to the questions', () => {
  const form = formOf({
    type: 'object',
    properties: {
      name: { type: 'string', default: 'Ada' },
      size: { type: 'string', enum: ['s', 'm'], default: 'm' },
      tags: { type: 'array', items: { enum: ['p'] }, default: ['p'] },
      other: { type: 'string', enum: ['s'] },
    },
  })
  expect(draftsOf(form)).toEqual({
    size: { state: 'draft', value: { kind: 'selected', value: 'm' } },
    tags: { state: 'draft', value: { kind: 'selected-many', value: ['p'] } },
  })
})
