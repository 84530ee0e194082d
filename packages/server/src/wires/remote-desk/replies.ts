import { type AnsweredBy, checkContent } from '@beckon/core'
import { isRecord } from '@beckon/core/json-rpc'
import { maxSearchChars } from '@beckon/core/widgets'
import type { DeskOutcome, DeskRequest } from '../desk.js'

/** An ask as the desk names it, and where a person can answer. */
export interface SaidAsk {
  readonly path: string
  readonly link: string
  readonly unseen: readonly string[] | undefined
}

const maxLinkLength = 4 * 1024
const maxReceiptLength = 64 * 1024

/** The link goes to the model, and so has to be an address and nothing else. */
export function readOpened(said: unknown): SaidAsk {
  const { session, id, link, unseen } = isRecord(said) ? said : {}
  const isAddress = typeof link === 'string' && link.length <= maxLinkLength && /^https?:[!-~]+$/i.test(link)
  if (!isAddress || !URL.canParse(link)) throw new Error('The desk does not say where a person can answer.')
  if (typeof session !== 'string' || typeof id !== 'string') throw new Error('The desk does not say which ask this is.')
  const isList = Array.isArray(unseen) && unseen.every(name => typeof name === 'string')
  const path = `/${encodeURIComponent(session)}/${encodeURIComponent(id)}`
  return { link, path, unseen: isList ? unseen : undefined }
}

/** Words that someone typed, and by which name they are answered. */
export interface SaidSearch {
  readonly id: string
  readonly search: string
}

const maxSearchIdLength = 100

/** What someone typed meanwhile; undefined where nobody did. */
export function readSearch(said: unknown): SaidSearch | undefined {
  const { id, search } = isRecord(said) && isRecord(said.search) ? said.search : {}
  if (typeof id !== 'string' || typeof search !== 'string' || id.length > maxSearchIdLength) return undefined
  return { id, search: search.slice(0, maxSearchChars) }
}

/** How an ask has ended. What it was accepted with fits the form. */
export function readOutcome({ form }: DeskRequest, said: unknown): DeskOutcome {
  const { action, content = {}, reason, why, by: names, receipt } = isRecord(said) ? said : {}
  const by = {
    ...(Array.isArray(names) && { by: names.flatMap(answeredBy) }),
    ...(typeof receipt === 'string' && receipt.length <= maxReceiptLength && { receipt }),
  }
  if (action === 'decline') return { action, ...(typeof reason === 'string' && { reason }), ...by }
  if (action === 'cancel') return { action, ...((why === 'expired' || why === 'withdrawn') && { why }), ...by }
  const checked = form === undefined ? { value: {} } : checkContent(form, content)
  if (action !== 'accept' || checked.issues !== undefined) throw new Error('The desk does not say how the ask ended.')
  return { action, content: checked.value, ...by }
}

/** Who answered, as the desk says it; what cannot be read is nobody. */
function answeredBy(said: unknown): AnsweredBy[] {
  const { principal, name, rule } = isRecord(said) ? said : {}
  if (typeof rule === 'string') return [{ rule, ...(typeof principal === 'string' && { principal }) }]
  if (typeof principal !== 'string') return []
  return [{ principal, ...(typeof name === 'string' && { name }) }]
}
