// Checks that the audit is what was written: that every log is a chain, that each chain is as manifests say, that manifests are a
// chain themselves and signed by this audit, and that the words that are left are those that were shown.
//
// Not found: what was cut off the end of logs after the last manifest, and what somebody did who has the keys of the store.
import { StateRejectedError } from '@beckon/core'
import type { Store } from 'beckon/store'
import { beginningOf, type ChainHead, type ChainRecord, decodeRecord, faultOf } from './chain.js'
import type { AuditKeys } from './keys.js'
import { auditNames, decodeLogName, hourMs, hourOf } from './log-names.js'
import type { LogReader } from './log-reader.js'
import { digestOf, type Manifest, type Manifests, type SignedHead, verifiedManifest } from './manifests.js'
import { readRecords } from './read-records.js'
import { type AuditReport, type AuditVerifyOptions, ReportBuilder } from './report.js'
import type { AuditTexts } from './texts.js'

export interface VerifyDeps {
  readonly store: Store
  readonly keys: AuditKeys
  readonly texts: AuditTexts
  readonly reader: LogReader
  readonly manifests: Manifests
  readonly now: () => number
}

/** What manifests say of logs. */
interface Signed {
  readonly heads: ReadonlyMap<string, readonly SignedHead[]>
  /** The last hour that was signed. */
  readonly to: number
}

const page = 500
const words: Readonly<Record<'changed' | 'misplaced' | 'unreadable', string>> = {
  changed: 'This entry is not what was written here.',
  misplaced: 'This entry does not follow the one before it: one of them was moved, doubled or deleted, or put in.',
  unreadable: 'Nobody can read this entry: the desk did not write it, or it was damaged.',
}

export async function verifyAudit(deps: VerifyDeps, options: AuditVerifyOptions): Promise<AuditReport> {
  const { keys, reader } = deps
  await keys.load()
  const { publicKey = keys.publicKey, since = 0 } = options
  const report = new ReportBuilder()
  const signed = await checkManifests(deps, publicKey, report)
  const left = new Set(signed.heads.keys())
  for await (const { logs } of reader.hours(hourOf(since)))
    for (const log of logs) {
      left.delete(log)
      await checkLog(deps, log, signed, report)
    }
  for (const log of left) {
    if ((decodeLogName(log)?.hour ?? 0) < hourOf(since)) continue
    report.add({ kind: 'unlisted', log, detail: 'A manifest has this log, and the list of logs does not.' })
    await checkLog(deps, log, signed, report)
  }
  return report.report(publicKey)
}

async function checkManifests(
  { manifests, now }: VerifyDeps,
  publicKey: string,
  report: ReportBuilder,
): Promise<Signed> {
  const heads = new Map<string, SignedHead[]>()
  let to = 0
  let before: { readonly number: number; readonly digest: string } | undefined
  for await (const { number, signed } of manifests.read()) {
    report.counts.manifests++
    const manifest = signed && verifiedManifest(signed, publicKey)
    const fault = (kind: 'manifest-unreadable' | 'manifest-foreign' | 'manifest-misplaced', detail: string) =>
      report.add({ kind, manifest: number, detail })
    if (signed === undefined) fault('manifest-unreadable', 'Nobody can read this manifest.')
    else if (manifest === undefined)
      fault('manifest-foreign', 'This manifest was not signed with the key of this audit.')
    else if (manifest.number !== number) fault('manifest-misplaced', `This manifest was number ${manifest.number}.`)
    checkLink({ number, manifest }, before, { now: now(), report })
    before = { number, digest: digestOf(signed) }
    if (manifest === undefined) continue
    to = Math.max(to, manifest.hour)
    // Of each hour, what was kept was kept for the same time.
    const keepMs = (manifest.expiresAt ?? Number.POSITIVE_INFINITY) - manifest.hour
    for (const head of manifest.logs)
      if ((decodeLogName(head.log)?.hour ?? 0) + keepMs > now())
        heads.set(head.log, [...(heads.get(head.log) ?? []), head])
  }
  return { heads, to }
}

/** Whether a manifest follows the one before it; the first that is left, one that may go. */
function checkLink(
  { number, manifest }: { readonly number: number; readonly manifest: Manifest | undefined },
  before: { readonly number: number; readonly digest: string } | undefined,
  { now, report }: { readonly now: number; readonly report: ReportBuilder },
): void {
  const isNext = number === (before?.number ?? 0) + 1
  const { previous } = manifest ?? {}
  const mayBeFirst = before === undefined && (previous?.expiresAt ?? Number.POSITIVE_INFINITY) <= now
  if (!isNext && !mayBeFirst)
    report.add({ kind: 'manifest-missing', manifest: number, detail: 'Manifests before this one are gone.' })
  if (manifest === undefined || manifest.number !== number || !isNext) return
  if ((previous?.digest ?? '') !== (before?.digest ?? ''))
    report.add({ kind: 'manifest-misplaced', manifest: number, detail: 'It does not follow the manifest before it.' })
}

async function checkLog(deps: VerifyDeps, log: string, signed: Signed, report: ReportBuilder): Promise<void> {
  const { store } = deps
  const heads = new Map((signed.heads.get(log) ?? []).map(head => [head.entries, head.head]))
  const signedTo = Math.max(0, ...heads.keys())
  const checkTexts = textChecker(deps, log, report)
  let before: ChainHead | undefined = beginningOf(log)
  let last = 0
  for (let after = 0; ; ) {
    const read = await readRecords(store, auditNames.log(log), { after, limit: page })
    for (const { seq, value } of read) {
      report.counts.entries++
      if (seq > signedTo) report.counts.unsignedEntries++
      const record = decodeRecord(value)
      const fault = record === undefined ? 'unreadable' : before && faultOf(record, before)
      if (fault !== undefined) report.add({ kind: fault, log, place: seq, detail: words[fault] })
      // What follows one that nobody can read is taken for what it says: it has a number, too.
      before = record === undefined ? undefined : { n: record.n, h: record.h }
      if (record === undefined) continue
      last = Math.max(last, record.n)
      if (heads.get(record.n) === record.h) heads.delete(record.n)
      await checkTexts(record, seq)
    }
    if (read.length < page) break
    after = read.at(-1)?.seq ?? after
  }
  if (last > 0) report.counts.logs++
  for (const entries of heads.keys())
    report.add(
      entries > last
        ? { kind: 'missing', log, place: entries, detail: `${entries} entries were signed, and ${last} are left.` }
        : { kind: 'changed', log, place: entries, detail: 'This entry is not the one that was signed.' },
    )
  const isOld = (decodeLogName(log)?.hour ?? 0) + hourMs < signed.to
  if (isOld && last > 0 && signedTo === 0)
    report.add({ kind: 'unsigned', log, detail: 'Later logs are in a manifest, and this one is in none.' })
}

/** The words of a batch are one value: it is read once. */
function textChecker(
  { texts, keys }: VerifyDeps,
  log: string,
  report: ReportBuilder,
): (record: ChainRecord, seq: number) => Promise<void> {
  let bundle: { readonly id: string; readonly texts: Awaited<ReturnType<AuditTexts['read']>> | undefined } | undefined
  return async ({ t: id, e: entry }, place) => {
    const digest = entry.shown?.digest
    if (id === undefined || digest === undefined) return
    if (bundle?.id !== id) {
      bundle = { id, texts: await texts.read(id).catch(unreadable) }
      if (bundle.texts === undefined)
        report.add({ kind: 'text-unreadable', log, place, detail: 'Nobody can read the words that were shown.' })
    }
    if (bundle.texts === undefined) return
    const text = bundle.texts[digest]
    if (text === undefined) report.counts.erasedTexts++
    else {
      report.counts.texts++
      if (keys.digest(text) !== digest)
        report.add({ kind: 'text-changed', log, place, detail: 'These words are not those that were shown.' })
    }
  }
}

/** What was not sealed by this desk is as good as gone; a store that is away is another matter. */
export function unreadable(error: unknown): undefined {
  if (error instanceof StateRejectedError) return undefined
  throw error
}
