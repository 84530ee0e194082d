// Takes the end of a session's log away, as a store does that went on with a replica which was behind: the names that were
// removed after what is gone are there again.
import { createHash } from 'node:crypto'
import { sealedStore } from 'beckon/store'
import { cutLog } from '../cut-log.mjs'
import { linesOf } from '../lines.mjs'
import { openFor } from '../open-store.mjs'
import { recordOf } from './record.mjs'

/**
 * @param {string} url
 * @param {string} session
 * @param {number} count how many of its last entries
 * @returns {Promise<boolean>} false when there is no such log
 */
export async function shortenSession(url, session, count) {
  const log = `desk/session/${session}`
  const plain = await openFor(url)
  const store = sealedStore(plain)
  try {
    if ((await store.read(log)).length === 0) return false
    await cutLog(url, log, count)
    const lines = /** @type {import('./record.mjs').Line[]} */ (linesOf(await store.read(log)))
    for (const { instance, ending, audience, askedAt, expiresAt } of recordOf(lines).asks.values()) {
      if (ending !== undefined) continue
      const member = `${session}/${instance}`
      for (const token of tokensOf(audience)) await store.put(`desk/open/${token}`, member, askedAt)
      await store.put('desk/due', member, expiresAt)
    }
    return true
  } finally {
    await plain.close()
  }
}

/** As the index files it. @param {import('./record.mjs').RecordedAsk['audience']} audience */
function tokensOf(audience) {
  if (audience === undefined) return ['anyone']
  const { principals = [], groups = [] } = audience
  return [...principals.map(name => `principal ${name}`), ...groups.map(name => `group ${name}`)].map(text =>
    createHash('sha256').update(text).digest('base64url'),
  )
}
