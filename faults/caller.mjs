// Calls tools and answers what they ask: now and then with the same answers twice at once, now and then with two different
// ones of which one wins, and now and then not at all. It knows what it was told, and compares.
import assert from 'node:assert/strict'
import { capabilities, isPassing, isRefusal, pause } from './client.mjs'

/** @typedef {Record<string, { params: { message: string } }>} InputRequests */

/**
 * A call, as its client knows it.
 * @typedef {object} KnownCall
 * @property {string} tag
 * @property {number} since
 * @property {string} waitsFor what it does now, for whoever wonders why it takes so long
 * @property {Map<string, string>} asked the questions that were put, by their id on the wire
 * @property {Map<string, string | undefined>} given the answer that was accepted, by question
 * @property {Set<string>} raced questions that got two different answers at once, of which nobody is told which one won
 * @property {string | undefined} taskId of one that runs as a task
 * @property {boolean} isLeft its last question gets no answer: its time runs out
 * @property {boolean} hasEnded with a result
 * @property {boolean} isCut the end of its log was taken away: what was there may be asked and done again, or be an error
 * @property {boolean} isSale what its client cannot show is on the desk, so that the same request goes on with the same call
 * @property {import('./client.mjs').Capabilities} can what its client can show
 * @property {string[]} story what its client was told, for whoever has to find out what went wrong
 * @property {readonly string[]} steps the ids of its steps, as its result has them
 * @property {boolean} isOpen
 */

const questions = /** @type {const} */ (['first', 'second', 'third'])
/** What can be answered on the desk alone, unless a client opens pages. */
const pages = /** @type {const} */ (['pay', 'sign', 'seal'])
/** How long the last question of a call is open that nobody answers. */
const patienceMs = 2_000

export class Caller {
  /** @type {import('./client.mjs').Client} */
  #client
  /** @type {import('./random.mjs').Random} */
  #random
  /** @type {import('./desk-double.mjs').TestDesk} */
  #desk
  /** Answers that were given on the desk. */
  atDesk = 0
  /** How calls ended whose log had lost its end, when not with a result. @type {string[]} */
  broken = []
  /** Asks that got two different answers at once. */
  races = 0
  /** @type {KnownCall[]} */
  calls = []
  /** Told whenever an answer was taken. @type {(wire: 'rounds' | 'tasks') => void} */
  onTaken = () => {}

  /**
   * @param {import('./client.mjs').Client} client
   * @param {import('./random.mjs').Random} random
   * @param {import('./desk-double.mjs').TestDesk} desk
   */
  constructor(client, random, desk) {
    this.#client = client
    this.#random = random
    this.#desk = desk
  }

  /**
   * Makes a call, in rounds, as a task or with a desk, and checks what comes of it.
   * @param {string} tag
   */
  async call(tag) {
    const isSale = this.#random.next() < 0.5
    const isTask = this.#random.next() < 0.3
    /** @type {KnownCall} */
    const call = {
      tag,
      since: Date.now(),
      waitsFor: 'its first reply',
      asked: new Map(),
      given: new Map(),
      raced: new Set(),
      taskId: undefined,
      isLeft: !isSale && this.#random.next() < 0.06,
      hasEnded: false,
      isOpen: true,
      isCut: false,
      isSale,
      can: !isSale
        ? capabilities.everything
        : isTask
          ? capabilities['forms and tasks']
          : capabilities[this.#random.pick(/** @type {const} */ (['forms', 'forms', 'forms and tasks', 'nothing']))],
      story: [],
      steps: [],
    }
    this.calls.push(call)
    const person = isSale ? this.#answerAtDesk(call) : undefined
    try {
      const result = await (isSale
        ? this.#sale(call, isTask ? 'order' : 'sale')
        : isTask
          ? this.#job(call)
          : this.#work(call))
      call.hasEnded = true
      check(call, result)
    } catch (error) {
      if (!call.isCut) throw error
      this.broken.push(`${tag}: ${error instanceof Error ? error.message : error}`)
    } finally {
      call.isOpen = false
      await person
    }
    return call
  }

  /**
   * A call whose client asks for the same again until it has the result.
   * @param {KnownCall} call
   * @param {string} name
   */
  async #sale(call, name) {
    const params = { name, arguments: { tag: call.tag } }
    let result = await this.#request(call, 'tools/call', params)
    for (;;) {
      if (result.resultType === 'task') return this.#poll(call, String(result.taskId))
      const state = { ...params, requestState: result.requestState }
      if (result.resultType === 'input_required') {
        const asks = this.#learn(call, result.inputRequests)
        // Its result was delivered, and did not arrive: this is another call, and whether it may be is for its logs to say.
        if (asks.some(({ question }) => call.given.has(question))) call.given.clear()
        if (asks.length > 0) result = await this.#answerSale(call, state, asks)
        else {
          await pause(this.#random.between(50, 300))
          result = await this.#request(call, 'tools/call', state)
        }
      } else if (isWaiting(result)) {
        call.waitsFor = `a person at the desk: ${JSON.stringify(result.content)}`
        await pause(this.#random.between(20, 200))
        result = await this.#request(call, 'tools/call', params)
      } else return result
    }
  }

  /**
   * Answers a round of such a call. What is asked may be elsewhere by then, and a reply may be of a later moment.
   * @param {KnownCall} call
   * @param {Record<string, unknown>} params
   * @param {readonly Ask[]} asks
   */
  async #answerSale(call, params, asks) {
    const [answers = []] = this.#candidates(asks, call.tag).reverse()
    const body = { ...params, inputResponses: responsesOf(answers) }
    const isTwice = this.#random.next() < 0.2
    if (isTwice) void this.#client.send('tools/call', body, call.can).catch(() => {})
    const reply = await this.#request(call, 'tools/call', body)
    // Asked for something else in the same way: so this was taken.
    const open = Object.keys(/** @type {InputRequests} */ (reply.inputRequests ?? {}))
    if (open.length > 0)
      for (const { id, question, value } of answers) if (!open.includes(id)) call.given.set(question, value)
    return reply
  }

  /**
   * A person at the desk, who answers what is there for a call for as long as it takes.
   * @param {KnownCall} call
   */
  async #answerAtDesk(call) {
    while (call.isOpen) {
      for (const { key, message, kind } of this.#desk.open(call.tag)) {
        // Not at once: the client may get there first, or go away.
        if (this.#random.next() < 0.7) continue
        const value = `${message.replace(' ', '/')}~`
        const content = kind === 'form' ? { value } : {}
        if (this.#desk.answer(key, { action: 'accept', content })) this.atDesk++
      }
      await pause(this.#random.between(20, 150))
    }
  }

  /** @param {KnownCall} call */
  async #work(call) {
    const params = { name: 'work', arguments: argumentsOf(call) }
    let result = await this.#request(call, 'tools/call', params)
    while (result.resultType === 'input_required') {
      const { requestState } = result
      const asks = this.#learn(call, result.inputRequests)
      if (asks.length > 0) result = await this.#answerRound(call, { ...params, requestState }, asks)
      else {
        await pause(this.#random.between(200, 600))
        result = await this.#request(call, 'tools/call', { ...params, requestState })
      }
    }
    return result
  }

  /** @param {KnownCall} call */
  async #job(call) {
    const created = await this.#request(call, 'tools/call', { name: 'job', arguments: argumentsOf(call) })
    return this.#poll(call, String(created.taskId))
  }

  /**
   * @param {KnownCall} call
   * @param {string} taskId
   */
  async #poll(call, taskId) {
    call.taskId = taskId
    for (;;) {
      const task = await this.#request(call, 'tasks/get', { taskId })
      if (task.status === 'completed') return /** @type {Record<string, unknown>} */ (task.result)
      call.waitsFor = `a task that is ${JSON.stringify(task).slice(0, 300)}`
      assert.ok(['working', 'input_required'].includes(String(task.status)), `${call.tag}: ${call.waitsFor}`)
      const asks = this.#learn(call, task.inputRequests)
      if (asks.length > 0) await this.#answerTask(call, taskId, asks)
      await pause(this.#random.between(10, 60))
    }
  }

  /**
   * Sends a round until it is answered: once, twice at once, or with two different answers of which one wins.
   * @param {KnownCall} call
   * @param {Record<string, unknown>} params
   * @param {readonly Ask[]} asks
   */
  async #answerRound(call, params, asks) {
    const candidates = this.#candidates(asks, call.tag).map(answers => ({
      answers,
      body: { ...params, inputResponses: responsesOf(answers) },
    }))
    const copies = candidates.flatMap(candidate => (this.#random.next() < 0.2 ? [candidate, candidate] : [candidate]))
    call.waitsFor = `a reply to ${asks.map(({ question }) => question)}`
    const first = await Promise.all(
      copies.map(({ body }) => this.#client.send('tools/call', body, call.can).catch(() => undefined)),
    )
    const won = copies.filter((_, index) => first[index] !== undefined)
    const replies = first.filter(reply => reply !== undefined)
    for (const reply of call.isCut ? [] : replies)
      assert.deepEqual(reply, replies[0], `${call.tag}: the same round got two replies`)
    for (const { answers } of call.isCut ? [] : won)
      assert.equal(answers, won[0]?.answers, `${call.tag}: two answers won`)
    const [winner] = won
    if (winner !== undefined && replies[0] !== undefined) return this.#accepted(call, winner.answers, replies[0])
    // Nobody heard a reply. One of them may have been taken: then the others are refused for good.
    for (const { answers, body } of candidates) {
      try {
        return this.#accepted(call, answers, await this.#request(call, 'tools/call', body))
      } catch (error) {
        if (!isRefusal(error)) throw error
      }
    }
    throw new Error(`${call.tag}: a round was lost, none of its answers counts`)
  }

  /**
   * Of several answers the first wins, and nobody is told which that was: the result says.
   * @param {KnownCall} call
   * @param {string} taskId
   * @param {readonly Ask[]} asks
   */
  async #answerTask(call, taskId, asks) {
    const candidates = this.#candidates(asks, call.tag)
    await Promise.all(
      candidates.map(answers => this.#request(call, 'tasks/update', { taskId, inputResponses: responsesOf(answers) })),
    )
    this.onTaken('tasks')
    // A process that has not heard of the first answer yet may ask for another, which it passes over.
    for (const { question, value } of candidates[0] ?? [])
      if (candidates.length > 1) call.raced.add(question)
      else if (!call.raced.has(question)) call.given.set(question, value)
  }

  /**
   * @param {KnownCall} call
   * @param {readonly (Ask & { value: string })[]} answers
   * @param {Record<string, unknown>} reply
   */
  #accepted({ given }, answers, reply) {
    for (const { question, value } of answers) given.set(question, value)
    this.onTaken('rounds')
    return reply
  }

  /**
   * Answers to the same asks, each with words of its own, so that an answer to something else is found out.
   * @param {readonly Ask[]} asks
   * @param {string} tag
   * @returns {(Ask & { value: string })[][]}
   */
  #candidates(asks, tag) {
    // A confirm has one answer that goes on: there is nothing to race with.
    const isRace = this.#random.next() < 0.15 && asks.every(({ question }) => question !== 'sure')
    if (isRace) this.races++
    return (isRace ? ['', '!'] : ['']).map(suffix =>
      asks.map(ask => ({ ...ask, value: `${tag}/${ask.question}${suffix}` })),
    )
  }

  /**
   * What is asked, of what gets an answer.
   * @param {KnownCall} call
   * @param {unknown} inputRequests
   * @returns {Ask[]}
   */
  #learn(call, inputRequests) {
    const requests = Object.entries(/** @type {InputRequests} */ (inputRequests ?? {}))
    const asks = requests.map(([id, { params }]) => {
      assert.ok(params.message.startsWith(`${call.tag} `), `${call.tag} was asked: ${params.message}`)
      const question = params.message.slice(call.tag.length + 1)
      call.asked.set(id, question)
      return { id, question }
    })
    return asks.filter(({ question }) => !(call.isLeft && question === 'sure'))
  }

  /**
   * @param {KnownCall} call
   * @param {string} method
   * @param {Record<string, unknown>} params
   */
  async #request(call, method, params) {
    call.waitsFor = `a reply to ${method}`
    const answers = Object.entries(/** @type {object} */ (params.inputResponses ?? {}))
    const brought = answers.map(([id, { content }]) => `${id}=${content?.value}`)
    const state = params.requestState === undefined ? '' : ` ..${String(params.requestState).slice(-4)}`
    const reply = await this.#client.sendUntilAnswered(method, params, {
      can: call.can,
      isFinal: error => (call.isCut ? !isPassing(error) : isRefusal(error)),
      onFailure(problem) {
        call.story.push(`${method}${state} ${brought} -> ${problem.slice(0, 60)}`)
        call.waitsFor = `a reply to ${method}, after ${problem}`
      },
    })
    const asks = Object.keys(/** @type {object} */ (reply.inputRequests ?? {}))
    const told = reply.requestState === undefined ? '' : ` ..${String(reply.requestState).slice(-4)}`
    const what = reply.status ?? reply.resultType ?? (isWaiting(reply) ? 'waiting' : 'result')
    const line = `${method}${state} ${brought} -> ${what}${told} ${asks}`
    if (call.story.at(-1) !== line) call.story.push(line)
    return reply
  }
}

/** @typedef {{ id: string, question: string }} Ask */

/** @param {KnownCall} call */
function argumentsOf({ tag, isLeft }) {
  return isLeft ? { tag, patienceMs } : { tag }
}

/** @param {readonly (Ask & { value: string })[]} answers */
function responsesOf(answers) {
  return Object.fromEntries(
    answers.map(({ id, question, value }) => [id, { action: 'accept', content: question === 'sure' ? {} : { value } }]),
  )
}

/** Whether a result is none yet: a person takes their time. @param {Record<string, unknown>} result */
function isWaiting({ content }) {
  return JSON.stringify(content).includes('A person was asked: ')
}

/**
 * @param {KnownCall} call
 * @param {Record<string, unknown>} result
 */
function check(call, result) {
  const { tag, given, isLeft, isCut, isSale } = call
  const [{ text }] = /** @type {[{ text: string }]} */ (result.content)
  const { answers, steps, isSure, pages: opened } = JSON.parse(text)
  for (const [index, question] of questions.entries()) {
    const answer = answers[index]
    // Of two that raced as a task, or at the desk, the result says which one won.
    const isKnown = given.has(question) && !isCut
    if (!isKnown && answer?.replace(/[!~]$/, '') === `${tag}/${question}`) given.set(question, answer)
    assert.equal(answer, given.get(question), `${tag} has another answer to ${question}`)
  }
  if (isSale)
    for (const [index, page] of pages.entries()) {
      assert.equal(opened[index], 'accept', `${tag} has another answer to ${page}`)
      given.set(page, undefined)
    }
  assert.equal(isSure, !isLeft, `${tag} ends with ${isSure}`)
  call.steps = steps
}
