// Calls, asks, answers, cancels, drops and resumes in any order, with what has to hold after each. Every step waits for what
// it leads to, so that the next one meets a settled world; a step that makes no sense now does nothing.
import type { ElicitResult } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import type { Agent, Answer, Era, Seen } from '../clients.js'
import { connectApp, type Frame, type RawApp } from '../raw-app.js'
import { agentOn, claimedApp, startGateway } from '../setup.js'

export const deeds = ['call', 'ask', 'answer', 'finish', 'cancel', 'drop', 'resume', 'stale', 'foreign'] as const

/** One step: what happens, and to which of those that it could happen to. */
export interface Step {
  readonly deed: (typeof deeds)[number]
  readonly pick: number
}

interface RunningCall {
  readonly nth: number
  readonly result: Promise<string>
  readonly stop: AbortController
  readonly invoked: Frame
  isOver: boolean
  /** What its client is told, once it can be. */
  end: RegExp
}

interface OpenedAsk {
  readonly nth: number
  readonly call: RunningCall
  readonly reply: Promise<Frame>
  readonly seen: Seen
}

/** How each ask that was seen is answered, by its number. */
type Answers = Map<number, (result: ElicitResult) => void>

const form = { type: 'object', properties: { nth: { type: 'integer' } }, required: ['nth'] }
const options = { actions: [{ name: 'work' }] }

export class World {
  readonly #url: string
  readonly #agent: Agent
  /** On push a person sees a question go; in rounds nobody is told before the client comes back. */
  readonly #isPush: boolean
  #app: RawApp
  #isConnected = true
  #last: [string, string]
  #count = 0
  #calls: RunningCall[] = []
  #asks: OpenedAsk[] = []
  readonly #answers: Answers

  static async open(era: Era): Promise<World> {
    const { url } = await startGateway()
    const answers: Answers = new Map()
    const answer: Answer = ({ params, signal }) =>
      new Promise((resolve, reject) => {
        answers.set(nthOf(params.message), resolve)
        signal.addEventListener('abort', () => reject(new Error('withdrawn')))
      })
    const agent = await agentOn(url, era, { answer })
    const app = await claimedApp(url, agent, options)
    return new World(url, agent, app, { isPush: era !== '2026-07-28', answers })
  }

  private constructor(url: string, agent: Agent, app: RawApp, more: { isPush: boolean; answers: Answers }) {
    this.#url = url
    this.#agent = agent
    this.#app = app
    this.#isPush = more.isPush
    this.#answers = more.answers
    this.#last = welcomeOf(app)
  }

  async take({ deed, pick }: Step): Promise<void> {
    const live = this.#calls.filter(({ isOver }) => !isOver)
    const call = live[pick % Math.max(1, live.length)]
    const ask = this.#asks[pick % Math.max(1, this.#asks.length)]
    if (deed === 'call') await this.#call()
    else if (deed === 'ask' && call) await this.#ask(call)
    else if (deed === 'answer' && ask) await this.#answer(ask)
    else if (deed === 'finish' && call) await this.#finish(call)
    else if (deed === 'cancel' && call) await this.#cancel(call)
    else if (deed === 'drop' && this.#isConnected) await this.#drop()
    else if (deed === 'resume') await this.#resume()
    else if (deed === 'stale') await this.#askInVain(this.#calls.find(({ isOver }) => isOver)?.invoked)
    else if (deed === 'foreign') await this.#askInVain({ params: { invocationId: `made-up-${pick}` } })
  }

  /** Whatever is left comes to its end, and nothing is open afterwards. */
  async end(): Promise<void> {
    if (this.#isConnected) await this.#drop()
    for (const ask of [...this.#asks]) await this.#answer(ask)
    for (const { result, end } of this.#calls) expect(await result).toMatch(end)
    expect(this.#asks).toEqual([])
    expect(this.#agent.asked.all.length).toBe(this.#answers.size)
    this.#app.hangUp()
  }

  async #call(): Promise<void> {
    const nth = ++this.#count
    const stop = new AbortController()
    const called = this.#agent.client.callTool({ name: 'todo__work', arguments: { nth } }, { signal: stop.signal })
    const result = called.then(textOf, (error: Error) => `failed: ${error.message}`)
    if (!this.#isConnected) {
      expect(await result).toMatch(/^failed: "Todos" is not connected/)
      return
    }
    const invoked = await this.#app.frames.when(
      ({ method, params }) => method === 'actions/invoke' && JSON.stringify(params?.input) === `{"nth":${nth}}`,
    )
    this.#calls.push({ nth, result, stop, invoked, isOver: false, end: /^$/ })
  }

  /** The person of the call sees it, and nobody else. In rounds a second one of a call is shown after the first. */
  async #ask(call: RunningCall): Promise<void> {
    if (!this.#isPush && this.#asks.some(ask => ask.call === call)) return
    const nth = ++this.#count
    const { invocationId } = call.invoked.params ?? {}
    const reply = this.#app.request('elicitation/request', { invocationId, question: `Ask ${nth}`, schema: form })
    const seen = await this.#agent.asked.when(({ params }) => nthOf(params.message) === nth)
    this.#asks.push({ nth, call, reply, seen })
  }

  /** It reaches the very ask that it is for, as long as there is one. */
  async #answer(ask: OpenedAsk): Promise<void> {
    this.#asks = this.#asks.filter(other => other !== ask)
    this.#answers.get(ask.nth)?.({ action: 'accept', content: { nth: ask.nth } })
    if (ask.call.isOver) return
    const { id, result } = await ask.reply
    expect(result, `the reply to ${id}`).toEqual({ action: 'accept', value: { nth: ask.nth } })
  }

  async #finish(call: RunningCall): Promise<void> {
    const { id, params } = call.invoked
    this.#app.send({ id, result: { invocationId: params?.invocationId, output: `done ${call.nth}` } })
    await this.#over(call, new RegExp(`^done ${call.nth}$`))
  }

  /** Between rounds no client can cancel. */
  async #cancel(call: RunningCall): Promise<void> {
    if (!this.#isPush && this.#asks.some(ask => ask.call === call)) return
    const { invocationId } = call.invoked.params ?? {}
    call.stop.abort()
    await this.#app.frames.when(
      ({ method, params }) => method === 'actions/cancel' && params?.invocationId === invocationId,
    )
    await this.#over(call, /^failed/)
  }

  async #drop(): Promise<void> {
    this.#isConnected = false
    const live = this.#calls.filter(({ isOver }) => !isOver)
    this.#app.hangUp()
    await this.#app.closed
    for (const call of live) await this.#over(call, /^failed: "Todos" did not finish: The application went away/)
    // The call that finds nobody shows that the gateway knows.
    while (!(await this.#agent.call('todo__work', { nth: 0 })).includes('is not connected'));
  }

  /** One that is there makes way for itself: what ran in it has ended. */
  async #resume(): Promise<void> {
    if (this.#isConnected) await this.#drop()
    this.#app = await connectApp(this.#url, options)
    const { result } = await this.#app.resume(...this.#last)
    expect(result?.sessionId).toBe(this.#last[0])
    this.#last = welcomeOf(this.#app)
    await this.#app.when('tesseron/claimed')
    this.#isConnected = true
  }

  async #askInVain(invoked: Frame | undefined): Promise<void> {
    if (!this.#isConnected || invoked === undefined) return
    const before = this.#agent.asked.all.length
    const { invocationId } = invoked.params ?? {}
    const params = { invocationId, question: 'Ask 0', schema: form }
    expect((await this.#app.request('elicitation/request', params)).error?.code).toBe(-32009)
    expect(this.#agent.asked.all.length).toBe(before)
  }

  /** A call that is over has nothing open: the application is told, and so is the person, where they can be. */
  async #over(call: RunningCall, end: RegExp): Promise<void> {
    call.isOver = true
    call.end = end
    const open = this.#asks.filter(ask => ask.call === call)
    for (const ask of open) {
      if (this.#isConnected) expect((await ask.reply).error?.code).toBe(-32001)
      if (!this.#isPush) continue
      const { signal } = ask.seen
      if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
      this.#asks = this.#asks.filter(other => other !== ask)
    }
    if (this.#isPush || open.length === 0) expect(await call.result).toMatch(end)
  }
}

function nthOf(message: string): number {
  return Number(/\d+/.exec(message)?.[0])
}

function textOf({ content, isError }: Awaited<ReturnType<Agent['client']['callTool']>>): string {
  const [first] = content
  const text = first?.type === 'text' ? first.text : ''
  return isError ? `failed: ${text}` : text
}

/** What an application keeps of its last welcome. */
function welcomeOf(app: RawApp): [string, string] {
  const welcome = app.frames.all.findLast(frame => frame.result?.resumeToken !== undefined)?.result
  return [String(welcome?.sessionId), String(welcome?.resumeToken)]
}
