/** What is wrong with the audit, and where. */
export interface AuditFault {
  readonly kind: AuditFaultKind
  /** The log that it was found in. */
  readonly log?: string
  /** The place in that log, from 1. */
  readonly place?: number
  /** The number of the manifest. */
  readonly manifest?: number
  readonly detail: string
}

export type AuditFaultKind =
  /** Nobody can read it: it was not written by this desk, or was damaged. */
  | 'unreadable'
  /** It is not what was written, or not what was signed. */
  | 'changed'
  /** It does not follow the one before it: it was moved, doubled or put in, or what was before it was deleted. */
  | 'misplaced'
  /** A log or a part of it is gone. */
  | 'missing'
  /** A log is there, and not among those that are read. */
  | 'unlisted'
  /** A log of hours ago that no manifest has, although later ones are signed. */
  | 'unsigned'
  | 'manifest-unreadable'
  | 'manifest-foreign'
  | 'manifest-misplaced'
  | 'manifest-missing'
  | 'text-changed'
  | 'text-unreadable'

/** What was checked, and what is wrong. */
export interface AuditReport {
  readonly isWhole: boolean
  /** The first of them. */
  readonly faults: readonly AuditFault[]
  readonly faultCount: number
  readonly logs: number
  readonly entries: number
  /** Entries that no manifest has yet: whether the last of them were cut off, nobody can say. */
  readonly unsignedEntries: number
  readonly manifests: number
  /** Words that are there, and those that were erased. */
  readonly texts: number
  readonly erasedTexts: number
  /** What manifests are signed with: Ed25519, SPKI in base64. Keep it elsewhere, and give it to `verify`. */
  readonly publicKey: string
}

export interface AuditVerifyOptions {
  /** Only logs from this time on, in milliseconds. All manifests are checked. */
  readonly since?: number | undefined
  /** What manifests must be signed with. Default: the key in the store. */
  readonly publicKey?: string | undefined
}

/** Faults that a report has. */
const maxFaults = 1_000

type Counts = Omit<AuditReport, 'isWhole' | 'faults' | 'faultCount' | 'publicKey'>

/** A report as it grows. */
export class ReportBuilder {
  readonly counts: { -readonly [Count in keyof Counts]: number } = {
    logs: 0,
    entries: 0,
    unsignedEntries: 0,
    manifests: 0,
    texts: 0,
    erasedTexts: 0,
  }
  readonly #faults: AuditFault[] = []
  #faultCount = 0

  add(fault: AuditFault): void {
    if (++this.#faultCount <= maxFaults) this.#faults.push(fault)
  }

  report(publicKey: string): AuditReport {
    const [faults, faultCount] = [this.#faults, this.#faultCount]
    return { isWhole: faultCount === 0, faults, faultCount, ...this.counts, publicKey }
  }
}
