import { openFor } from '../../../faults/open-store.mjs'
import { built } from '../../built.mjs'
import { bulkPostgres } from './bulk-postgres.mjs'
import { question } from './question.mjs'

/** @type {typeof import('../../../packages/desk/src/fill.ts')} */
const { fill: put } = await built('desk/dist/fill.js')

/**
 * Puts open asks into the store at a URL, number `n` for person `p<n % people>`, as a desk would have put them there.
 * @typedef {(url: string, count: number, options: { people: number }) => Promise<void>} Fill
 */

/** @type {Fill} */
export async function fill(url, count, { people }) {
  const store = url.startsWith('postgres:') ? await bulkPostgres(url) : await openFor(url)
  await put(store, count, { people, question })
  await store.close()
}
