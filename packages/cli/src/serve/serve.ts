import { createDesk } from '@beckon/desk'
import { checkKeys, type Store, StoreUnavailableError, sealedStore } from 'beckon/store'
import { borrowedStore } from 'beckon/store/adapter'
import { Telemetry, timedStore } from 'beckon/telemetry/adapter'
import type { Config } from '../config/definition.js'
import { configError, type ReadConfig } from '../config/read-config.js'
import { portProblem } from '../desk/ports.js'
import { withTimeout } from '../process/with-timeout.js'
import { certificateOf } from './certificate.js'
import { deskOptions } from './desk-options.js'
import { errorFields, type Logger } from './logger.js'
import { startMetrics } from './metrics.js'
import { openMonitoring } from './monitoring.js'
import { openForServing, reach } from './open-for-serving.js'

/** A desk that serves. */
export interface Serving {
  readonly url: string
  readonly monitoringUrl: string
  /** Lets go of everyone, who come back elsewhere, and ends; within `stopMs` in any case. False when that was too short. */
  stop(): Promise<boolean>
}

/** Supervisors wait at least this long. */
const stopMs = 9_500
const readyMs = 2_000

/**
 * Serves a desk as a configuration says.
 * @throws CliError that says what is wrong with the configuration, or with what it names
 */
export async function serve({ config, folder }: ReadConfig, log: Logger): Promise<Serving> {
  const tls = certificateOf(config, folder, Date.now())
  const onError = (error: unknown) => log.error('Something failed.', errorFields(error))
  const metrics = startMetrics()
  const closing: (() => Promise<unknown>)[] = [() => metrics.close()]
  let isStopping = false

  async function closeAll(): Promise<void> {
    for (const close of closing) await close().catch(onError)
  }

  try {
    const plain = await openForServing({ config, folder })
    closing.unshift(() => plain.close())
    const store = timedStore(plain, new Telemetry())
    const people = store.shared ? sealedStore(borrowedStore(store)) : store
    if (store.shared) closing.unshift(() => people.close())
    const desk = wellMade(() => createDesk(deskOptions(config, { store, people, folder, onError })))
    closing.unshift(() => desk.close())
    const monitoring = await openMonitoring({
      ...config.monitoring,
      metrics: metrics.serve,
      async problem() {
        if (isStopping) return 'This node is stopping.'
        return withTimeout(problemOf(plain), readyMs).catch(() => 'The store does not answer.')
      },
    }).catch(namingPort('"monitoring.port" (BECKON_MONITORING_PORT)'))
    // It says that the node is stopping until the very end.
    closing.splice(-1, 0, () => monitoring.close())
    const { host, port } = config.listen
    const { url } = await desk.listen({ host, port, tls }).catch(namingPort('"listen.port" (BECKON_LISTEN_PORT)'))
    if (config.store === 'memory') log.warn('The store is in memory: everything is gone with this process.')
    return {
      url,
      monitoringUrl: monitoring.url,
      async stop() {
        isStopping = true
        return withTimeout(closeAll(), stopMs).then(
          () => true,
          () => false,
        )
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Why a node cannot serve from a store that it began with; rejects when that does not answer. */
async function problemOf(store: Store): Promise<string | undefined> {
  await reach(store)
  return checkKeys(store).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof StoreUnavailableError) throw error
      return 'The keys in the store are wrapped by another key than that of this node (BECKON_KEY).'
    },
  )
}

/** A node listens on two ports: where one cannot be had, it is said which setting that is. */
function namingPort(setting: string): (error: unknown) => never {
  return error => {
    throw portProblem(error, setting) ?? error
  }
}

/** What the desk finds wrong with its options is wrong with the configuration. */
function wellMade<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw configError(error instanceof Error ? error.message : String(error))
  }
}

/** What is said of a configuration: nothing that is a secret. */
export function describeConfig({ publicUrl, oidc, servers = {}, programs = {} }: Config): Record<string, string> {
  return {
    publicUrl,
    issuer: oidc.issuer,
    servers: Object.keys(servers).join(', '),
    programs: Object.keys(programs).join(', '),
  }
}
