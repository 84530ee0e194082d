// What an author writes for an ask, looked at before anybody is asked. Without types it is easily written otherwise, and then a
// person would be shown nothing to agree to, or an option would do nothing. It runs before every ask: it makes nothing where all is
// well, and gives what is wrong instead of throwing it, so that nothing waits around the ask.
import type { AskSchema } from '@beckon/core'
import type { ConfirmOptions, ElicitOptions, FormOptions, UrlOptions } from './context.js'
import { unknownOption } from './known-options.js'

type Options<T> = Record<keyof T, true>

const terms = {
  key: true,
  timeoutMs: true,
  timeout: true,
  fallback: true,
  person: true,
  asker: true,
  show: true,
} as const

const policy = {
  audience: true,
  quorum: true,
  requesterCounts: true,
  outlastsDecline: true,
  remindAfterMs: true,
  escalation: true,
} as const

const confirmOptions: Options<ConfirmOptions> = { question: true, ...terms, ...policy }

const formOptions: Options<FormOptions> = {
  jsonSchema: true,
  initial: true,
  allow: true,
  attempts: true,
  widget: true,
  data: true,
  ...terms,
  ...policy,
}

const elicitOptions: Options<ElicitOptions<AskSchema>> = { question: true, schema: true, ...formOptions }

const urlOptions: Options<UrlOptions> = { waitForCompletion: true, elicitationId: true, ...terms }

/** The official SDK's words, and what else is often written. */
const otherWords: Readonly<Record<string, string>> = {
  message: 'question',
  requestedSchema: 'schema',
  default: 'initial',
  defaults: 'initial',
}

/** What is wrong with what `ctx.confirm` was given; undefined when nothing is. */
export function confirmProblem(given: string | ConfirmOptions): TypeError | undefined {
  if (typeof given === 'string') return emptiness(given, 'ctx.confirm')
  return questionProblem(given, 'ctx.confirm') ?? problemOf(given, confirmOptions, 'ctx.confirm')
}

/** What is wrong with what `ctx.elicit` was given; undefined when nothing is. */
export function elicitProblem(given: { readonly question: string } | undefined): TypeError | undefined {
  if (typeof given === 'string') return new TypeError(byPosition)
  return questionProblem(given, 'ctx.elicit') ?? problemOf(given ?? {}, elicitOptions, 'ctx.elicit')
}

/** What is wrong with what `ctx.elicit.form` was given; undefined when nothing is. */
export function formProblem(message: string, options: FormOptions | undefined): TypeError | undefined {
  const method = 'ctx.elicit.form'
  return emptiness(message, method) ?? (options && problemOf(options, formOptions, method))
}

/** What is wrong with what `ctx.elicit.url` was given; undefined when nothing is. */
export function urlProblem(message: string, options: UrlOptions | undefined): TypeError | undefined {
  const method = 'ctx.elicit.url'
  return emptiness(message, method) ?? (options && problemOf(options, urlOptions, method))
}

const byPosition =
  'ctx.elicit takes one object: ctx.elicit({ question, schema }). With a message and a schema, and an answer that says what ' +
  'the person did, it is ctx.elicit.form(message, schema).'

function questionProblem(given: { readonly question: string } | undefined, method: string): TypeError | undefined {
  if (typeof given?.question === 'string') return emptiness(given.question, method)
  return new TypeError(`${method} takes what the person is asked as "question": ${method}({ question: 'Go on?' }).`)
}

function emptiness(question: unknown, method: string): TypeError | undefined {
  if (typeof question === 'string' && question.trim() !== '') return undefined
  return new TypeError(
    `${method} asks an empty question, to which nobody can know what they say. Write what the person is asked.`,
  )
}

function problemOf(given: object, known: Readonly<Record<string, true>>, method: string): TypeError | undefined {
  for (const name in given)
    if (!Object.hasOwn(known, name)) return unknownOption(name, known, `${method} has an option`, otherWords)
  return undefined
}
