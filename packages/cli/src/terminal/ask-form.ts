// A form: its questions one by one, then everything together to look over, change, send, decline or cancel.
import type { Content, FieldValue, Question } from '@beckon/core'
import { select } from '@clack/prompts'
import type { DeskOutcome } from 'beckon/desk/adapter'
import type { ShownAsk } from '../answers/person.js'
import { plainLine } from '../plain-text.js'
import { askQuestion, questionName } from './ask-question.js'
import { bold, card, dim, given, promptFor } from './screen.js'

export async function askForm(ask: ShownAsk): Promise<DeskOutcome> {
  const answers = new Map<string, FieldValue>(Object.entries(ask.presets))
  for (const question of ask.questions) {
    const left = await answer(question, answers, ask.signal)
    if (left !== undefined) return left
  }
  return review(ask, answers)
}

/** Has one question answered; an outcome when the person wants to be done with the whole ask. */
async function answer(
  question: Question,
  answers: Map<string, FieldValue>,
  signal: AbortSignal,
): Promise<DeskOutcome | undefined> {
  for (;;) {
    const answered = await askQuestion(question, answers.get(question.id), signal)
    if (answered !== undefined) {
      if (answered.value === undefined) answers.delete(question.id)
      else answers.set(question.id, answered.value)
      return undefined
    }
    const left = await leave(signal)
    if (left !== undefined) return left
  }
}

/** Declining and cancelling are two things, so a person who leaves a form says which. */
async function leave(signal: AbortSignal): Promise<DeskOutcome | undefined> {
  if (signal.aborted) return { action: 'cancel' }
  const wanted = given(
    await select({
      ...(await promptFor(signal)),
      message: 'Leave this?',
      options: [
        { value: 'cancel', label: 'Cancel', hint: 'decide nothing now' },
        { value: 'decline', label: 'Decline', hint: 'say no' },
        { value: 'back', label: 'Back to the question' },
      ] as const,
    }),
  )
  return wanted === 'back' ? undefined : { action: wanted ?? 'cancel' }
}

async function review(ask: ShownAsk, answers: Map<string, FieldValue>): Promise<DeskOutcome> {
  const { questions, signal } = ask
  for (;;) {
    card(`Your answers to ${plainLine(ask.server)}`, questions.map(question => line(question, answers)).join('\n'))
    const wanted = given(
      await select<number | DeskOutcome['action']>({
        ...(await promptFor(signal)),
        message: 'Send them?',
        options: [
          { value: 'accept', label: 'Send' },
          ...questions.map((question, place) => ({ value: place, label: `Change ${questionName(question)}` })),
          { value: 'decline', label: 'Decline', hint: 'say no' },
          { value: 'cancel', label: 'Cancel', hint: 'decide nothing now' },
        ],
      }),
    )
    if (wanted === 'accept') return { action: 'accept', content: contentOf(questions, answers) }
    if (typeof wanted !== 'number') return { action: wanted ?? 'cancel' }
    const question = questions[wanted]
    const left = question && (await answer(question, answers, signal))
    if (left !== undefined) return left
  }
}

function contentOf(questions: readonly Question[], answers: Map<string, FieldValue>): Content {
  const entries = questions.flatMap(({ id }): [string, FieldValue][] => {
    const value = answers.get(id)
    return value === undefined ? [] : [[id, value]]
  })
  return Object.fromEntries(entries)
}

function line(question: Question, answers: Map<string, FieldValue>): string {
  const value = answers.get(question.id)
  return `${questionName(question)}: ${value === undefined ? dim('no answer') : bold(words(question, value))}`
}

function words(question: Question, value: FieldValue): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (!('options' in question)) return plainLine(String(value))
  const labels = [value].flat().map(id => question.options.find(option => option.id === id)?.label ?? String(id))
  return labels.length === 0 ? 'none' : plainLine(labels.join(', '))
}
