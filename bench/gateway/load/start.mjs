import { RoundsConnection } from '../../wires/load/callers.mjs'
import { startServer } from '../../wires/load/server-process.mjs'

const here = new URL('../servers/', import.meta.url)

/** A server with the tool itself. */
export function startDirect() {
  return startServer(new URL('direct.mjs', here), { execArgv: ['--expose-gc'] })
}

/** A gateway with an application that was claimed; both end together. */
export async function startGateway() {
  const gateway = await startServer(new URL('gateway.mjs', here), { execArgv: ['--expose-gc'] })
  const app = await startServer(new URL('app.mjs', here), { args: [gateway.url] })
  const claiming = new RoundsConnection(gateway.url, 'tesseron__claim_session')
  const { result } = await claiming.send({ arguments: { code: app.url } })
  claiming.close()
  if (result?.isError !== undefined) throw new Error(`Not claimed: ${JSON.stringify(result)}`)
  return {
    ...gateway,
    stop() {
      gateway.stop()
      app.stop()
    },
  }
}
