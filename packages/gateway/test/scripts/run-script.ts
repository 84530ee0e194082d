// Plays a script: it is the application, word for word, and an agent with a person behind it.
import { join } from 'node:path'
import type { ElicitResult } from '@modelcontextprotocol/client'
import { expect, onTestFinished } from 'vitest'
import type { FakeClock } from '../../../server/test/fake-clock.js'
import type { Agent, Era } from '../clients.js'
import { type ActionStub, connectApp, ListeningApp, type RawApp } from '../raw-app.js'
import { agentOn, type Running, temporaryHome } from '../setup.js'
import { type Captured, fill, misfit } from './pattern.js'
import type { Script, Step } from './script.js'

/** How the application and the gateway come together: it connects, or is dialled by whoever brings its host's code. */
export type Style = 'connects' | 'is dialled on a WebSocket' | 'is dialled on a Unix socket'

export interface Stages {
  readonly era: Era
  readonly running: Running
  readonly clock: FakeClock
  readonly style: Style
}

/** Whether a script begins with an application that is claimed, and stays with that connection: then its style is free. */
export function fitsAnyStyle({ steps }: Script): boolean {
  const [first, second, ...rest] = steps
  if (first === undefined || second === undefined) return false
  return 'hello' in first && 'claim' in second && !rest.some(step => 'reconnect' in step || 'closed' in step)
}

export async function runScript(script: Script, { era, running, clock, style }: Stages): Promise<void> {
  const { url } = running
  const captured: Captured = new Map()
  const answers: ((answer: ElicitResult) => void)[] = []
  const { capabilities = { elicitation: {} } } = script
  const answer = () => new Promise<ElicitResult>(resolve => answers.push(resolve))
  const agent = await agentOn(url, era, { capabilities, ...('elicitation' in capabilities && { answer }) })
  const play = new Play({ url, agent, captured, answers, clock })
  const [first] = script.steps
  const isDialled = style !== 'connects' && first !== undefined && 'hello' in first
  if (isDialled) await play.beDialled(first.hello, running.home, style === 'is dialled on a Unix socket')
  else await play.connect()
  for (const [index, step] of script.steps.entries())
    if (!isDialled || index > 1) await play.step(step, `step ${index + 1}`)
}

type Offered = Extract<Step, { hello: unknown }>['hello']

interface Stage {
  readonly url: string
  readonly agent: Agent
  readonly captured: Captured
  readonly answers: ((answer: ElicitResult) => void)[]
  readonly clock: FakeClock
}

class Play {
  readonly #stage: Stage
  #app!: RawApp
  #heard = 0
  #asked = 0
  #isHosted = false
  #called: Promise<unknown> = Promise.resolve()
  #stop = new AbortController()

  constructor(stage: Stage) {
    this.#stage = stage
  }

  async connect(): Promise<void> {
    const app = await connectApp(this.#stage.url, {})
    onTestFinished(() => app.hangUp())
    this.#app = app
    this.#heard = 0
  }

  /** Hello and claim in one: the agent brings the code, the gateway dials, and the application says hello. */
  async beDialled({ actions = [], resources = [] }: Offered, home: string, isUnix: boolean): Promise<void> {
    const { agent, captured } = this.#stage
    const app = new ListeningApp({ actions: actions as ActionStub[], resources: [...resources] })
    await (isUnix ? app.listenUds(join(temporaryHome(), 's')) : app.listenWs())
    onTestFinished(() => app.close())
    app.publish(home)
    expect(await agent.call('tesseron__claim_session', { code: app.code })).not.toMatch(/^failed/)
    this.#app = await app.connection()
    const welcome = { sessionId: app.sessionId, resumeToken: app.resumeToken, claimCode: '~absent' }
    fit({ result: welcome }, await this.#next(), captured, 'the hello')
    fit({ method: 'tesseron/claimed' }, await this.#next(), captured, 'the claim')
    this.#isHosted = true
  }

  async step(step: Step, where: string): Promise<void> {
    const { agent, captured, clock } = this.#stage
    if ('recv' in step) this.#app.send(fill(step.recv, captured) as object)
    else if ('recvText' in step) this.#app.sendRaw(step.recvText)
    else if ('send' in step) fit(step.send, await this.#next(), captured, where)
    else if ('hello' in step) await this.#hello(step.hello, where)
    else if ('claim' in step) {
      const claimed = await agent.call('tesseron__claim_session', { code: captured.get('code') })
      expect(claimed, where).not.toMatch(/^failed/)
      fit({ method: 'tesseron/claimed' }, await this.#next(), captured, where)
    } else if ('call' in step) this.#call(step.call, step.args ?? {})
    else if ('asked' in step) {
      const nth = this.#asked++
      await agent.asked.when(() => agent.asked.all.length > nth)
      fit(step.asked, agent.asked.all[nth]?.params, captured, where)
      this.#stage.answers[nth]?.(fill(step.answer, captured) as ElicitResult)
    } else if ('result' in step) fit(step.result, await this.#called, captured, where)
    else if ('cancel' in step) this.#stop.abort()
    else if ('advanceMs' in step) clock.advance(step.advanceMs)
    else if ('reconnect' in step) {
      this.#app.hangUp()
      await this.connect()
    } else if ('closed' in step) expect(await this.#app.closed, where).toBe(step.closed)
    else expect(agent.asked.all, where).toEqual([])
  }

  #call(name: string, args: Record<string, unknown>): void {
    this.#stop = new AbortController()
    this.#called = this.#stage.agent.client
      .callTool({ name, arguments: args }, { signal: this.#stop.signal })
      .catch((error: Error) => ({ thrown: error.message }))
  }

  async #hello({ actions = [], resources = [] }: Offered, where: string) {
    const { captured } = this.#stage
    const params = { ...this.#app.helloParams(), actions, resources }
    this.#app.send({ id: 'hello', method: 'tesseron/hello', params })
    const welcome = { claimCode: '~capture:code', sessionId: '~capture:session', resumeToken: '~capture:token' }
    fit({ id: 'hello', result: welcome }, await this.#next(), captured, where)
  }

  /** What the application is told next. A host is reminded of its claim, and looked for, which is not what a script is about. */
  async #next(): Promise<unknown> {
    const nth = this.#heard++
    const { frames } = this.#app
    await frames.when(() => frames.all.length > nth)
    const frame = frames.all[nth]
    const isOfHosts = frame?.method === 'tesseron/claimed' || frame?.params?.name === 'beckon/heartbeat'
    return this.#isHosted && isOfHosts ? this.#next() : frame
  }
}

function fit(pattern: unknown, value: unknown, captured: Captured, where: string): void {
  const wrong = misfit(pattern, value, captured)
  if (wrong !== undefined) expect.fail(`${where}: ${wrong}; it was ${JSON.stringify(value)}`)
}
