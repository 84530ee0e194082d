import { isRecord } from '@beckon/core/json-rpc'
import type { Context } from 'beckon'

/** Who claimed an application, as it is told. */
export interface Agent {
  readonly id: string
  readonly name: string
}

/** What the client of a call can do, as an application is told. */
export interface AgentCapabilities {
  readonly streaming: boolean
  readonly subscriptions: boolean
  readonly sampling: boolean
  readonly elicitation: boolean
}

/** An application that nobody has claimed is told this. */
export const nobody: Agent = { id: 'pending', name: 'Awaiting agent' }

/** Whatever the gateway can carry: what an application hears of before a client is known. */
export const carried: AgentCapabilities = { streaming: true, subscriptions: true, sampling: true, elicitation: true }

/** The agent behind a call, by the name that its client gives itself. */
export function agentOf({ client }: Pick<Context, 'client'>): Agent {
  return client === undefined ? { id: 'agent', name: 'Agent' } : { id: client.name, name: client.name }
}

/** What the client of a call can do. With a desk behind it, every call can reach a person. */
export function capabilitiesOf(
  { clientCapabilities, agentCapabilities }: Pick<Context, 'clientCapabilities' | 'agentCapabilities'>,
  hasDesk: boolean,
): AgentCapabilities {
  const { elicitation } = agentCapabilities
  return {
    streaming: true,
    subscriptions: true,
    sampling: isRecord(clientCapabilities.sampling),
    elicitation: elicitation === undefined ? hasDesk : elicitation.form,
  }
}

/** What an application is told in reply to its hello: what both sides can do. */
export function sharedCapabilities(
  agent: AgentCapabilities,
  app: Readonly<Record<string, unknown>>,
): AgentCapabilities {
  return {
    streaming: agent.streaming && app.streaming !== false,
    subscriptions: agent.subscriptions && app.subscriptions !== false,
    sampling: agent.sampling && app.sampling !== false,
    elicitation: agent.elicitation && app.elicitation !== false,
  }
}

export function isSameCapabilities(one: AgentCapabilities, other: AgentCapabilities): boolean {
  return one.sampling === other.sampling && one.elicitation === other.elicitation
}
