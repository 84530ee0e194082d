import { peer } from '../../peers/peer.js'

/** @typedef {import('./contender.mjs').Contender} Contender */

/**
 * A workflow that waits for a message, as the documentation of DBOS has it.
 * @param {string} url
 * @returns {Promise<Contender>}
 */
export async function dbos(url) {
  const { DBOS } = await peer('@dbos-inc/dbos-sdk')
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, logLevel: 'error', runAdminServer: false })
  const ask = DBOS.registerWorkflow(async () => DBOS.recv('answer', 60), { name: 'ask' })
  await DBOS.launch()
  return {
    async cycle() {
      const handle = await DBOS.startWorkflow(ask)()
      await DBOS.send(handle.workflowID, 'green', 'answer')
      if ((await handle.getResult()) !== 'green') throw new Error('The workflow ended otherwise.')
    },
    close: () => DBOS.shutdown(),
  }
}
