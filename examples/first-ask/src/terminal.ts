import { createInterface, type Interface } from 'node:readline/promises'
import { type Content, checkContent, type FieldValue, type Form, type Question, questionsOf } from '@beckon/core'

/** What a person did with an ask. */
export interface Outcome {
  action: 'accept' | 'decline' | 'cancel'
  content?: Content
}

/** Puts asks to whoever sits at the terminal. Without a terminal they are declined. */
export class Terminal {
  readonly #lines: Interface | undefined = process.stdin.isTTY
    ? createInterface({ input: process.stdin, output: process.stdout })
    : undefined

  async ask(server: string, message: string, form: Form): Promise<Outcome> {
    console.log(`\n${server} asks: ${message}`)
    const questions = questionsOf(form)
    if (this.#lines === undefined) {
      for (const question of questions) console.log(`  ${label(question)}`)
      console.log('  There is no terminal to answer from here, so this is declined.')
      return { action: 'decline' }
    }
    return questions.length === 0 ? this.#confirm(this.#lines) : this.#fillIn(this.#lines, form, questions)
  }

  close(): void {
    this.#lines?.close()
  }

  async #confirm(lines: Interface): Promise<Outcome> {
    const answer = await lines.question('  yes or no? ')
    return { action: /^y(es)?$/i.test(answer.trim()) ? 'accept' : 'decline' }
  }

  async #fillIn(lines: Interface, form: Form, questions: Question[]): Promise<Outcome> {
    console.log('  Enter takes what stands in brackets; "no" declines.')
    const content: Content = {}
    for (const question of questions) {
      for (;;) {
        const typed = (await lines.question(`  ${label(question)} `)).trim()
        if (typed === 'no') return { action: 'decline' }
        const value = typed === '' ? preset(question) : read(question, typed)
        const { issues } = checkContent(form, { ...content, ...(value !== undefined && { [question.id]: value }) })
        const wrong = issues?.find(issue => issue.path[0] === question.id)
        if (wrong === undefined) {
          if (value !== undefined) content[question.id] = value
          break
        }
        console.log(`  ${wrong.message}`)
      }
    }
    return { action: 'accept', content }
  }
}

function label(question: Question): string {
  const options = 'options' in question ? ` (${question.options.map(option => option.label).join(', ')})` : ''
  const value = `${preset(question) ?? ''}`
  return `${question.message}${options}${value === '' ? '' : ` [${value}]`}:`
}

function preset(question: Question): FieldValue | undefined {
  if (!('options' in question)) return question.defaultValue
  const recommended = question.options.filter(option => option.recommended).map(option => option.id)
  return question.kind === 'multi-select' ? recommended : recommended[0]
}

function read(question: Question, typed: string): FieldValue {
  switch (question.kind) {
    case 'number':
    case 'integer':
      return Number(typed)
    case 'boolean':
      return /^y(es)?$/i.test(typed)
    case 'multi-select':
      return typed.split(',').map(part => part.trim())
    default:
      return typed
  }
}
