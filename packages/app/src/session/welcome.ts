import { errorCodes, isRecord, RpcError } from '@beckon/core/json-rpc'
import type { Agent, AgentCapabilities } from '../app/context.js'
import { ProtocolMismatchError } from '../errors.js'

/** The version of the protocol that this package speaks. */
export const protocolVersion = '1.2.0'

/** What a gateway answers to a hello or a resume. */
export interface Welcome {
  readonly sessionId: string
  readonly agent: Agent
  readonly capabilities: AgentCapabilities
  /** To be shown to a person, who tells it to the agent. Absent once claimed. */
  readonly claimCode: string | undefined
  readonly resumeToken: string | undefined
  /** Whether the gateway comes back by itself to an app that it claimed, after a restart of either side. */
  readonly comesBack: boolean
}

/** Where a gateway says that it comes back: the protocol has no word for it, and other gateways want a new code. */
const comesBackField = 'beckon/comesBack'

const nobody: Agent = { id: 'pending', name: 'Nobody yet' }

/** What an agent can do before anyone said what it can. */
export const nothing: AgentCapabilities = {
  streaming: false,
  subscriptions: false,
  sampling: false,
  elicitation: false,
}

export function readWelcome(value: unknown): Welcome {
  if (!isRecord(value) || typeof value.sessionId !== 'string')
    throw new RpcError(errorCodes.invalidRequest, 'The gateway answered the hello with no session.')
  const theirs = typeof value.protocolVersion === 'string' ? value.protocolVersion : protocolVersion
  if (theirs.split('.')[0] !== protocolVersion.split('.')[0]) throw new ProtocolMismatchError(protocolVersion, theirs)
  return {
    sessionId: value.sessionId,
    agent: readAgent(value.agent) ?? nobody,
    capabilities: readCapabilities(value.capabilities) ?? nothing,
    claimCode: readText(value.claimCode),
    resumeToken: readText(value.resumeToken),
    comesBack: value[comesBackField] === true,
  }
}

export function readAgent(value: unknown): Agent | undefined {
  if (!isRecord(value) || typeof value.id !== 'string' || typeof value.name !== 'string') return undefined
  return { id: value.id, name: value.name }
}

export function readCapabilities(value: unknown): AgentCapabilities | undefined {
  if (!isRecord(value)) return undefined
  const { streaming, subscriptions, sampling, elicitation } = value
  return {
    streaming: streaming === true,
    subscriptions: subscriptions === true,
    sampling: sampling === true,
    elicitation: elicitation === true,
  }
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
