// One question, rendered for what it is. What a person gives is checked by `@beckon/core`, in words, as they give it.
import {
  checkAnswer,
  describeFieldProblem,
  type FieldValue,
  looksSensitive,
  type Question,
  type Value,
} from '@beckon/core'
import { autocomplete, autocompleteMultiselect, multiline, multiselect, select, text } from '@clack/prompts'
import { plainLine } from '../plain-text.js'
import { type Choice, choose } from './choose.js'
import { dim, given, promptFor, warn } from './screen.js'

/** An answer, or none to a question that may go without; undefined when the person left. */
export type Given = { readonly value: FieldValue | undefined } | undefined

export async function askQuestion(
  question: Question,
  preset: FieldValue | undefined,
  signal: AbortSignal,
): Promise<Given> {
  if (question.kind === 'text' && looksSensitive(question.id, question)) {
    warn('This looks like a secret. Servers must not ask for one in a form: everything in between can read it.')
  }
  switch (question.kind) {
    case 'text':
      return askText(question, typeof preset === 'string' ? preset : '', signal)
    case 'number':
    case 'integer':
      return askNumber(question, typeof preset === 'number' ? `${preset}` : '', signal)
    case 'boolean':
      return askBoolean(question, typeof preset === 'boolean' ? preset : undefined, signal)
    case 'single-select':
      return askOne(question, typeof preset === 'string' ? preset : undefined, signal)
    case 'multi-select':
      return askAny(question, Array.isArray(preset) ? preset : [], signal)
  }
}

type Of<K extends Question['kind']> = Extract<Question, { kind: K }>

const examples: Readonly<Record<string, string>> = {
  email: 'name@example.com',
  uri: 'https://example.com',
  date: '2026-12-31',
  'date-time': '2026-12-31T12:00:00Z',
}
/** Beyond this many characters an answer is more than a line. */
const lineLength = 200
/** Beyond this many, options are searched. */
const maxShown = 12

async function askText(question: Of<'text'>, preset: string, signal: AbortSignal): Promise<Given> {
  const isLong = (question.format === undefined && (question.max ?? 0) > lineLength) || preset.includes('\n')
  const options = {
    ...(await promptFor(signal)),
    message: isLong ? `${label(question)} ${dim('(Enter twice when done)')}` : label(question),
    initialValue: preset,
    placeholder: examples[question.format ?? ''] ?? '',
    validate: (typed: string | undefined) => complaint(question, typed ?? '', value => ({ kind: 'text', value })),
  }
  const typed = given(await (isLong ? multiline(options) : text(options)))
  return typed === undefined ? undefined : { value: typed === '' ? undefined : typed }
}

async function askNumber(question: Of<'number' | 'integer'>, preset: string, signal: AbortSignal): Promise<Given> {
  const typed = given(
    await text({
      ...(await promptFor(signal)),
      message: label(question),
      initialValue: preset,
      validate: words => complaint(question, (words ?? '').trim(), value => ({ kind: 'number', value: Number(value) })),
    }),
  )
  return typed === undefined ? undefined : { value: typed.trim() === '' ? undefined : Number(typed) }
}

async function askBoolean(question: Of<'boolean'>, preset: boolean | undefined, signal: AbortSignal): Promise<Given> {
  const yesOrNo: Choice<boolean | 'none'>[] = [
    { value: true, label: 'Yes', letter: 'y' },
    { value: false, label: 'No', letter: 'n' },
  ]
  const mayBeLeft = !question.required && preset === undefined
  const choices = mayBeLeft ? [{ value: 'none', label: noAnswer, letter: '-' } as const, ...yesOrNo] : yesOrNo
  const initial = mayBeLeft ? 'none' : (preset ?? true)
  const chosen = await choose({ message: label(question), choices, initial, signal })
  return chosen === undefined ? undefined : { value: chosen === 'none' ? undefined : chosen }
}

async function askOne(question: Of<'single-select'>, preset: string | undefined, signal: AbortSignal): Promise<Given> {
  // Options are chosen by their place, since any text could be one of them.
  const options = question.options.map((option, place) => ({ value: place, label: plainLine(option.label) }))
  if (!question.required) options.unshift({ value: -1, label: noAnswer })
  const initial = question.options.findIndex(({ id }) => id === preset)
  const all = {
    ...(await promptFor(signal)),
    message: label(question),
    options,
    ...(initial !== -1 && { initialValue: initial }),
  }
  const place = given(await (options.length > maxShown ? autocomplete({ ...all, maxItems: maxShown }) : select(all)))
  return place === undefined ? undefined : { value: question.options[place]?.id }
}

async function askAny(question: Of<'multi-select'>, preset: readonly string[], signal: AbortSignal): Promise<Given> {
  const options = question.options.map((option, place) => ({ value: place, label: plainLine(option.label) }))
  const initialValues = question.options.flatMap(({ id }, place) => (preset.includes(id) ? [place] : []))
  for (let chosen = initialValues; ; ) {
    const all = {
      ...(await promptFor(signal)),
      message: label(question),
      options,
      initialValues: chosen,
      required: false,
    }
    const places = given(
      await (options.length > maxShown ? autocompleteMultiselect({ ...all, maxItems: maxShown }) : multiselect(all)),
    )
    if (places === undefined) return undefined
    const value = places.flatMap(place => question.options[place]?.id ?? [])
    const wrong = checkAnswer(question, { state: 'submitted', value: { kind: 'selected-many', value } })
    if (value.length === 0 && !question.required && preset.length === 0) return { value: undefined }
    if (wrong === undefined) return { value }
    warn(describeFieldProblem(wrong))
    chosen = places
  }
}

const noAnswer = '(no answer)'

/** What a question is called. A bare value has no name of its own: what is asked says it all. */
export function questionName({ id, title, message }: Question): string {
  const said = title ?? message
  return id === 'value' && said === id ? 'Your answer' : plainLine(said)
}

function label(question: Question): string {
  const { title, message, required } = question
  const isSaid = title === undefined || title === message
  const heading = isSaid ? questionName(question) : `${plainLine(title)}: ${plainLine(message)}`
  return `${heading}${required ? '' : dim(' (optional)')}`
}

function complaint(question: Question, typed: string, wrap: (typed: string) => Value): string | undefined {
  if (typed === '') return question.required ? 'This one is needed.' : undefined
  const problem = checkAnswer(question, { state: 'submitted', value: wrap(typed) })
  return problem && describeFieldProblem(problem)
}
