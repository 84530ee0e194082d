// What a person is entering into one ask. What they entered stands until they leave the field; only then does it give way
// to what others do. So nothing changes under their hands, and the caret stays where it is.
import type { Answer, FieldProblem, Question } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { type Entered, enteredFrom, isSame } from '../../fields/entered.js'
import { draftOf, finalOf, problemOf } from '../../fields/problem.js'
import type { DeskClient } from '../../live/desk-client.js'

/** How often a draft is shared while someone types. */
const sharedEveryMs = 250

export class Answering {
  readonly #client: DeskClient
  readonly #tag: string
  #ask: AskEntry
  readonly #entered = new Map<string, Entered>()
  readonly #touched = new Set<string>()
  readonly #unshared = new Map<string, Question>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(client: DeskClient, ask: AskEntry, tag: string) {
    this.#client = client
    this.#ask = ask
    this.#tag = tag
  }

  /** The ask as it is by now. */
  set ask(ask: AskEntry) {
    this.#ask = ask
  }

  get questions(): readonly Question[] {
    return this.#ask.request.questions ?? []
  }

  /** What stands in a question's control. */
  entered(question: Question): Entered {
    return this.#entered.get(question.id) ?? this.#shared(question)
  }

  /** What someone else has made of a question that this person is at. */
  conflict(question: Question): Entered | undefined {
    const own = this.#entered.get(question.id)
    const shared = this.#shared(question)
    const isMine = own === undefined || this.#unshared.has(question.id) || isSame(own, shared)
    return isMine || draftOf(question, own, this.#tag) === undefined ? undefined : shared
  }

  enter(question: Question, entered: Entered): void {
    this.#entered.set(question.id, entered)
    this.#unshared.set(question.id, question)
    this.#timer ??= setTimeout(() => this.share(), sharedEveryMs)
  }

  /** Someone is done with a question for now. */
  leave(question: Question): void {
    if (this.#entered.has(question.id)) this.#touched.add(question.id)
    this.share()
    const own = this.#entered.get(question.id)
    // What no draft can carry stays here.
    if (own !== undefined && draftOf(question, own, this.#tag) !== undefined) this.#entered.delete(question.id)
  }

  takeTheirs(question: Question): void {
    this.#entered.delete(question.id)
    this.#unshared.delete(question.id)
  }

  /** Shares what was entered since the last time. */
  share(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const question of this.#unshared.values()) {
      const entered = this.#entered.get(question.id)
      const draft = entered && draftOf(question, entered, this.#tag)
      if (draft !== undefined) this.#client.draft(this.#ask, question.id, draft)
    }
    this.#unshared.clear()
  }

  /** Forgets what was not shared: the ask has been answered. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#unshared.clear()
  }

  /** What is wrong with a question, once someone has been there. */
  problem(question: Question): FieldProblem | undefined {
    return this.#touched.has(question.id) ? problemOf(question, this.entered(question), this.#tag) : undefined
  }

  /** The questions that keep the answers from being sent; from now on each says why. */
  problems(): Question[] {
    for (const { id } of this.questions) this.#touched.add(id)
    return this.questions.filter(question => this.problem(question) !== undefined)
  }

  answers(): Record<string, Answer> {
    return Object.fromEntries(
      this.questions.map(question => [question.id, finalOf(question, this.entered(question), this.#tag)]),
    )
  }

  #shared(question: Question): Entered {
    const { answers = {} } = this.#ask.request
    return enteredFrom(question, Object.hasOwn(answers, question.id) ? answers[question.id] : undefined)
  }
}
