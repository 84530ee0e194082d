// A form of the model as one of HTML, so that a browser's password manager fills it in and a screen reader reads it out.
import { type Content, type FieldValue, type Form, looksSensitive, type Question, questionsOf } from '@beckon/core'
import { type Html, html } from './html.js'
import { labelFrom } from './label.js'

export interface FieldsOptions {
  /** What was typed before; secrets are not in it. */
  typed: Content
  /** What is wrong, by field. */
  problems: ReadonlyMap<string, string>
}

/** The inputs of a form. */
export function fieldsOf(form: Form, { typed, problems }: FieldsOptions): Html {
  const questions = questionsOf(form).map(question => withLabel(question, form))
  // Where the person goes on: at what is wrong, else at what is empty.
  const first = questions.find(({ id }) => problems.has(id)) ?? questions.find(({ id }) => !Object.hasOwn(typed, id))
  return html`${questions.map(question => field(question, questions, { typed, problem: problems.get(question.id), isFirst: question === first }))}`
}

/** A field that its author gave no title is labelled by its name, as a person would write it. */
function withLabel(question: Question, { properties }: Form): Question {
  const { title, description } = properties[question.id] ?? {}
  const label = title ?? labelFrom(question.id)
  return { ...question, title: label, message: description ?? label }
}

/** What was sent, as content of the form. An input that was left empty is none. */
export function contentFrom(form: Form, sent: URLSearchParams): Content {
  const entries = questionsOf(form).flatMap((question): [string, FieldValue][] => {
    const values = sent.getAll(`field-${question.id}`)
    const [value = ''] = values
    if (question.kind === 'boolean') return [[question.id, value === 'on']]
    if (question.kind === 'multi-select') return [[question.id, values]]
    if (value === '') return []
    return [[question.id, question.kind === 'number' || question.kind === 'integer' ? Number(value) : value]]
  })
  return Object.fromEntries(entries)
}

/** What was typed to say whose account it is: what a browser fills in as the user name. */
export function accountIn(form: Form, content: Content): string | undefined {
  const questions = questionsOf(form)
  const account = questions.find(question => isAccount(question, questions))
  const typed = account && Object.hasOwn(content, account.id) ? content[account.id] : undefined
  return typeof typed === 'string' ? typed : undefined
}

/** What may be shown again. */
export function withoutSecrets(form: Form, content: Content): Content {
  return Object.fromEntries(Object.entries(content).filter(([name]) => !isSecret(name, form)))
}

function isSecret(name: string, { properties }: Form): boolean {
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined
  return looksSensitive(name, own) !== undefined
}

interface FieldState {
  typed: Content
  problem: string | undefined
  isFirst: boolean
}

function field(question: Question, all: readonly Question[], { typed, problem, isFirst }: FieldState): Html {
  const { id, message, required } = question
  const label = question.title ?? id
  const name = `field-${id}`
  const value = Object.hasOwn(typed, id) ? typed[id] : undefined
  const notes = [message !== label && `${name}-hint`, problem !== undefined && `${name}-problem`]
    .filter(Boolean)
    .join(' ')
  const about = html`${message !== label && html`<span class="hint" id="${name}-hint">${message}</span>`}${
    problem !== undefined && html`<span class="problem" id="${name}-problem">${problem}</span>`
  }`
  const state = html`${notes !== '' && html` aria-describedby="${notes}"`}${problem !== undefined && html` aria-invalid="true"`}${
    required === true && question.kind !== 'boolean' && html` required`
  }${isFirst && html` autofocus`}`
  const isOptional = required !== true && !hasDefault(question)
  const caption = html`${label}${isOptional && html` <span class="quiet">(optional)</span>`}`
  switch (question.kind) {
    case 'boolean':
      return html`<div class="field"><label class="choice"><input type="checkbox" name="${name}"${(value ?? question.defaultValue) === true && html` checked`}${state}>${label}</label>${about}</div>`
    case 'multi-select':
      return html`<fieldset class="field"><legend>${caption}</legend>${question.options.map(
        option =>
          html`<label class="choice"><input type="checkbox" name="${name}" value="${option.id}"${(Array.isArray(value) ? value.includes(option.id) : option.recommended === true) && html` checked`}>${option.label}</label>`,
      )}${about}</fieldset>`
    case 'single-select':
      return html`<div class="field"><label for="${name}">${caption}</label><select id="${name}" name="${name}"${state}>${
        isOptional && html`<option value=""></option>`
      }${question.options.map(
        option =>
          html`<option value="${option.id}"${(value === undefined ? option.recommended === true : value === option.id) && html` selected`}>${option.label}</option>`,
      )}</select>${about}</div>`
    default: {
      const shown = typeof value === 'string' || typeof value === 'number' ? value : question.defaultValue
      const limits = question.kind === 'text' && question.max !== undefined && html` maxlength="${question.max}"`
      return html`<div class="field"><label for="${name}">${caption}</label><input id="${name}" name="${name}"${inputKind(question, all)}${
        shown !== undefined && html` value="${shown}"`
      }${limits}${state}>${about}</div>`
    }
  }
}

/** What is left as it is has a value then, and nobody needs to be told that they may leave it. */
function hasDefault(question: Question): boolean {
  if ('options' in question) return question.options.some(({ recommended }) => recommended === true)
  return question.defaultValue !== undefined
}

/** The type of an input, and what a browser may fill in there. */
function inputKind(question: Question, all: readonly Question[]): Html {
  if (question.kind === 'integer') return html` type="number" step="1"`
  if (question.kind === 'number') return html` type="number" step="any"`
  const secret = looksSensitive(question.id, { type: 'string', title: question.title })
  if (secret?.kind === 'one-time-code') return html` type="text" inputmode="numeric" autocomplete="one-time-code"`
  if (secret?.kind === 'password') return html` type="password" autocomplete="current-password"`
  if (secret !== undefined) return html` type="password" autocomplete="off"`
  const isEmail = isAddress(question)
  const fill = isAccount(question, all) ? 'username' : isEmail ? 'email' : 'off'
  return html` type="${isEmail ? 'email' : 'text'}" autocomplete="${fill}" autocapitalize="none" spellcheck="false"`
}

function isAddress(question: Question): boolean {
  return question.kind === 'text' && (question.format === 'email' || /e-?mail/i.test(question.id))
}

/** Where there is no name to sign in with, the address is that. */
function isAccount(question: Question, all: readonly Question[]): boolean {
  return isUserName(question.id) || (isAddress(question) && !all.some(({ id }) => isUserName(id)))
}

function isUserName(name: string): boolean {
  return /^(user(_?(name|id))?|login|account)$/i.test(name)
}
