import type { Agent, AgentCapabilities, Context } from '../app/context.js'
import { sample } from './ask-model.js'
import { confirmWith, elicit } from './ask-person.js'
import type { Invocation } from './invocation.js'
import type { ShownQuestion } from './shown-question.js'

/** What a context needs of the session that it is in. */
export interface Surroundings {
  readonly agent: Agent
  readonly capabilities: AgentCapabilities
  request(method: string, params: object, signal: AbortSignal): Promise<unknown>
  notify(method: string, params: object): void
}

/** The `ctx` of one invocation. */
export function createContext(invocation: Invocation, session: Surroundings): Context {
  const { id: invocationId, signal } = invocation

  function request(method: string, params: object): Promise<unknown> {
    return invocation.ask(() => session.request(method, { invocationId, ...params }, signal))
  }

  function notify(method: string, params: object): void {
    if (!invocation.isOver && !signal.aborted) session.notify(method, { invocationId, ...params })
  }

  const asking = {
    canAsk: () => session.capabilities.elicitation && !invocation.isOver,
    ask: (shown: ShownQuestion, schema: object) => request('elicitation/request', { ...shown, schema }),
  }
  const sampling = {
    canSample: () => session.capabilities.sampling && !invocation.isOver,
    sample: (params: object) => request('sampling/request', params),
  }
  return {
    confirm: confirmWith(asking),
    elicit: options => elicit(asking, options),
    sample: options => sample(sampling, options),
    progress: ({ message, percent, data }) => notify('actions/progress', { message, percent, data }),
    log: ({ level, message, meta }) => notify('log', { level, message, meta }),
    signal,
    invocationId,
    get agent() {
      return session.agent
    },
    get agentCapabilities() {
      return session.capabilities
    },
    get canAsk() {
      return { form: asking.canAsk() }
    },
  }
}
