// Plays a script: it is the application, word for word, and an agent with a person behind it.
import type { ElicitResult } from '@modelcontextprotocol/client'
import { expect, onTestFinished } from 'vitest'
import type { FakeClock } from '../../../server/test/fake-clock.js'
import type { Agent, Era } from '../clients.js'
import { connectApp, type RawApp } from '../raw-app.js'
import { agentOn, type Running } from '../setup.js'
import { type Captured, fill, misfit } from './pattern.js'
import type { Script, Step } from './script.js'

export async function runScript(script: Script, era: Era, { url }: Running, clock: FakeClock): Promise<void> {
  const captured: Captured = new Map()
  const answers: ((answer: ElicitResult) => void)[] = []
  const { capabilities = { elicitation: {} } } = script
  const answer = () => new Promise<ElicitResult>(resolve => answers.push(resolve))
  const agent = await agentOn(url, era, { capabilities, ...('elicitation' in capabilities && { answer }) })
  const play = new Play({ url, agent, captured, answers, clock })
  await play.connect()
  for (const [index, step] of script.steps.entries()) await play.step(step, `step ${index + 1}`)
}

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

  async #hello(
    { actions = [], resources = [] }: { actions?: readonly object[]; resources?: readonly object[] },
    where: string,
  ) {
    const { captured } = this.#stage
    const params = { ...this.#app.helloParams(), actions, resources }
    this.#app.send({ id: 'hello', method: 'tesseron/hello', params })
    const welcome = { claimCode: '~capture:code', sessionId: '~capture:session', resumeToken: '~capture:token' }
    fit({ id: 'hello', result: welcome }, await this.#next(), captured, where)
  }

  async #next(): Promise<unknown> {
    const nth = this.#heard++
    const { frames } = this.#app
    await frames.when(() => frames.all.length > nth)
    return frames.all[nth]
  }
}

function fit(pattern: unknown, value: unknown, captured: Captured, where: string): void {
  const wrong = misfit(pattern, value, captured)
  if (wrong !== undefined) expect.fail(`${where}: ${wrong}; it was ${JSON.stringify(value)}`)
}
