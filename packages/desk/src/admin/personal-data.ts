// What a desk keeps of one person, part by part: each part gives it, and erases it. What somebody did is in the audit, which is
// exported with it and not erased: it is what others rely on, and goes by its own time.
import type { Audit } from '../audit/audit.js'
import type { AuditEntry } from '../audit/entry.js'

/** What one part of a desk keeps of people. */
export interface PersonalPart {
  /** What it is called in an export. */
  readonly name: string
  /** Undefined when there is nothing. */
  read(principal: string): Promise<unknown>
  erase(principal: string): Promise<unknown>
}

/** What is kept of someone, by part, and what they did. */
export interface PersonExport {
  readonly principal: string
  readonly kept: Readonly<Record<string, unknown>>
  readonly audit: readonly AuditEntry[]
  /** There is more in the audit than is exported at once. */
  readonly isCutShort?: true
}

const maxEntries = 10_000

/** What a desk keeps of people. */
export class PersonalData {
  readonly #parts: readonly PersonalPart[]
  readonly #audit: Pick<Audit, 'query'>

  constructor(parts: readonly PersonalPart[], audit: Pick<Audit, 'query'>) {
    this.#parts = parts
    this.#audit = audit
  }

  /** What is kept of someone, without what they did. */
  async kept(principal: string): Promise<Record<string, unknown>> {
    const read = this.#parts.map(async part => [part.name, await part.read(principal)] as const)
    return Object.fromEntries((await Promise.all(read)).filter(([, value]) => value !== undefined))
  }

  async export(principal: string): Promise<PersonExport> {
    const [kept, audit] = await Promise.all([
      this.kept(principal),
      this.#audit.query({ principal, limit: maxEntries + 1 }),
    ])
    const isCutShort = audit.length > maxEntries
    return { principal, kept, audit: audit.slice(0, maxEntries), ...(isCutShort && { isCutShort }) }
  }

  /** Erases all that is kept of someone; gives the parts that had something. */
  async erase(principal: string): Promise<string[]> {
    const had = Object.keys(await this.kept(principal))
    for (const part of this.#parts) await part.erase(principal)
    return had
  }
}
