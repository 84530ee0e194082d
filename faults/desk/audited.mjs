// What the audit has when a run is over: each end of an ask once, whichever node died before it wrote it, and nothing broken.
import { createDesk } from '@beckon/desk'
import { pause } from '../client.mjs'
import { openFor } from '../open-store.mjs'
import { patientStore } from '../patient-store.mjs'

/** A node that is gone is noticed, and made up for, in this time. */
const recoversWithinMs = 150_000
const endings = new Set(['accepted', 'declined', 'dismissed', 'withdrawn', 'expired'])
/** @type {Readonly<Record<string, string>>} */
const words = { accepted: 'accept', declined: 'decline', expired: 'expired' }

/**
 * @param {string} url of the store
 * @param {ReadonlyMap<string, import('./record.mjs').SessionRecord>} records
 * @param {import('./judge.mjs').Cuts} cuts what was in these logs may be in the audit, and not there any more
 */
export async function auditLosses(url, records, cuts) {
  const store = patientStore(await openFor(url))
  const desk = createDesk({ store })
  try {
    const until = Date.now() + recoversWithinMs
    for (;;) {
      const losses = await lossesIn(desk, records, cuts)
      if (losses.length === 0 || Date.now() > until) {
        const { faults } = await desk.audit.verify()
        return [...losses, ...faults.map(fault => `the audit is broken: ${JSON.stringify(fault)}`)]
      }
      await pause(1_000)
    }
  } finally {
    await desk.close()
    await store.close()
  }
}

/**
 * @param {import('@beckon/desk').Desk} desk
 * @param {ReadonlyMap<string, import('./record.mjs').SessionRecord>} records
 * @param {import('./judge.mjs').Cuts} cuts
 */
async function lossesIn(desk, records, cuts) {
  /** @type {Map<string, string[]>} */
  const audited = new Map()
  for (const { session, request, event } of await desk.audit.query()) {
    if (!endings.has(event)) continue
    const key = JSON.stringify([session, request])
    audited.set(key, [...(audited.get(key) ?? []), words[event] ?? 'cancel'])
  }
  return [...records].flatMap(([session, { asks }]) =>
    [...asks.values()].flatMap(({ id, ending }) => {
      if (ending === undefined || cuts.has(session)) return []
      const found = audited.get(JSON.stringify([session, id])) ?? []
      const isRight = found.length === 1 && found[0] === ending.split(' ')[0]
      return isRight ? [] : [`${session}: ${id} is ${ending}, and in the audit it is ${found.join(', ') || 'nothing'}`]
    }),
  )
}
