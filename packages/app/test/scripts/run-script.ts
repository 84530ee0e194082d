import { expect } from 'vitest'
import type { ManualClock } from '../manual-clock.js'
import { type Captured, fill, match } from './match.js'
import type { Script, Step } from './script.js'

/** The gateway's end of a connection. */
export interface GatewayEnd {
  send(text: string): void
  /** The next frame of the app; undefined when it closed. */
  next(): Promise<string | undefined>
}

const everything = { streaming: true, subscriptions: true, sampling: true, elicitation: true }

/** Plays the gateway as a script says, and checks what the app says. */
export async function runScript(script: Script, gateway: GatewayEnd, clock: ManualClock): Promise<void> {
  const captured: Captured = new Map()
  for (const [index, step] of script.steps.entries())
    await take(step, `${script.id}, step ${index + 1}`, { gateway, clock, captured })
}

interface Scene {
  readonly gateway: GatewayEnd
  readonly clock: ManualClock
  readonly captured: Captured
}

async function take(step: Step, where: string, scene: Scene): Promise<void> {
  const { gateway, clock, captured } = scene
  if ('recv' in step) match(await receive(gateway), step.recv, captured, where)
  else if ('send' in step) gateway.send(JSON.stringify(fill(step.send, captured)))
  else if ('sendText' in step) gateway.send(step.sendText)
  else if ('advanceMs' in step) clock.advance(step.advanceMs)
  else if ('closed' in step) expect(await gateway.next(), where).toBeUndefined()
  else if ('quiet' in step) await expectQuiet(gateway, where)
  else await greet(gateway, step.hello.capabilities ?? everything, where)
}

async function greet(gateway: GatewayEnd, capabilities: object, where: string): Promise<void> {
  const captured: Captured = new Map()
  match(await receive(gateway), { id: '~capture:id', method: 'tesseron/hello' }, captured, where)
  const agent = { id: 'agent', name: 'Agent' }
  const result = { sessionId: 's_1', protocolVersion: '1.2.0', capabilities, agent, resumeToken: 'rt_1' }
  gateway.send(JSON.stringify({ jsonrpc: '2.0', id: captured.get('id'), result }))
}

/** What was said before would have come before the answer to this. */
async function expectQuiet(gateway: GatewayEnd, where: string): Promise<void> {
  gateway.send(JSON.stringify({ jsonrpc: '2.0', id: 'quiet', method: 'nothing/at_all' }))
  match(await receive(gateway), { id: 'quiet', error: { code: -32601 } }, new Map(), where)
}

async function receive(gateway: GatewayEnd): Promise<unknown> {
  const frame = await gateway.next()
  if (frame === undefined) throw new Error('The app closed the connection.')
  return JSON.parse(frame)
}
