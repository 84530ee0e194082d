import { BeckonError } from '@beckon/core'

/** The gateway speaks another major version of the protocol. */
export class ProtocolMismatchError extends BeckonError {
  protected static override readonly kind = 'ProtocolMismatch'

  constructor(ours: string, theirs: string) {
    super(`This app speaks protocol ${ours} and the gateway ${theirs}. Update the older of the two.`)
  }
}

/** The action ran longer than its own time, in which the time of people does not count. */
export class ActionTimeoutError extends BeckonError {
  protected static override readonly kind = 'ActionTimeout'

  constructor(action: string, timeoutMs: number) {
    super(`The action "${action}" took more than ${timeoutMs} ms. Give it longer with .timeout({ ms }).`)
  }
}

/** The agent that called has no model to lend. */
export class SamplingNotAvailableError extends BeckonError {
  protected static override readonly kind = 'SamplingNotAvailable'

  constructor() {
    super('The agent cannot sample its model for this app. Check ctx.agentCapabilities.sampling first.')
  }
}

/** A model that was sampled called this app again, and that again, once too often. */
export class SamplingDepthError extends BeckonError {
  protected static override readonly kind = 'SamplingDepth'

  constructor() {
    super('Sampling inside sampling went too deep. Return what is known so far instead of sampling again.')
  }
}

/** The connection to the gateway ended, and with it every invocation on it. */
export class ConnectionClosedError extends BeckonError {
  protected static override readonly kind = 'ConnectionClosed'

  constructor() {
    super('The connection to the gateway has ended, and this invocation with it. The agent can call again.')
  }
}
