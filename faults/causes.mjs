// Why a handler is entered again, as the server counts it: by the counter that a program with OpenTelemetry sees.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createNoopMeter, metrics } from '@opentelemetry/api'

/**
 * Listens to the counter of replays, for a server that is made afterwards.
 * @returns {() => string | undefined} for a handler: why it was entered again; undefined the first time
 */
export function listenToCauses() {
  // What is counted right before a handler is entered is there for that handler, and no other.
  /** @type {AsyncLocalStorage<{ cause: string | undefined }>} */
  const counted = new AsyncLocalStorage()
  const silent = createNoopMeter()
  const meter = Object.create(silent, {
    createCounter: {
      /** @type {import('@opentelemetry/api').Meter['createCounter']} */
      value: (name, options) =>
        name === 'beckon.replays'
          ? { add: (_, attributes) => counted.enterWith({ cause: String(attributes?.['beckon.replay.cause']) }) }
          : silent.createCounter(name, options),
    },
  })
  metrics.setGlobalMeterProvider({ getMeter: () => meter })
  return () => {
    const last = counted.getStore()
    const cause = last?.cause
    if (last !== undefined) last.cause = undefined
    return cause
  }
}
