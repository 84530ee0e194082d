// A gateway on a home of its own, and everything else that a test opens, closed when the test is over.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway, type Gateway, type GatewayOptions } from '@beckon/gateway'
import { onTestFinished, vi } from 'vitest'
import { type Agent, connectAgent, type Era } from './clients.js'
import { connectApp, ListeningApp, type RawApp, type RawAppOptions } from './raw-app.js'

/** How fast a machine is says nothing about the gateway. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

export function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'beckon-gateway-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

export interface Running {
  readonly gateway: Gateway
  readonly home: string
  readonly url: string
  readonly logs: string[]
}

export async function startGateway({
  home = temporaryHome(),
  server,
  ...options
}: GatewayOptions = {}): Promise<Running> {
  const logs: string[] = []
  const log = (message: string) => logs.push(message)
  // Programs answer for the people of these tests.
  const gateway = createGateway({ home, log, server: { person: 'unchecked', ...server }, ...options })
  onTestFinished(() => gateway.close())
  const { url } = await gateway.listen({ port: 0 })
  return { gateway, home, url, logs }
}

export async function agentOn(url: string, era: Era, options?: Parameters<typeof connectAgent>[2]): Promise<Agent> {
  const agent = await connectAgent(url, era, options)
  onTestFinished(() => agent.close())
  return agent
}

/** An application with a code of its own, whose manifest is there. */
export async function listeningApp(home: string, options: RawAppOptions): Promise<ListeningApp> {
  const app = await new ListeningApp(options).listenWs()
  onTestFinished(() => app.close())
  app.publish(home)
  return app
}

/** An application that connected by itself, claimed by an agent. */
export async function claimedApp(url: string, agent: Agent, options: RawAppOptions): Promise<RawApp> {
  const app = await connectApp(url, options)
  onTestFinished(() => app.hangUp())
  const { result } = await app.hello()
  const text = await agent.call('tesseron__claim_session', { code: result?.claimCode })
  if (text.startsWith('failed')) throw new Error(text)
  return app
}
