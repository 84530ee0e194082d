// Standing decisions about calls: which need nobody, which are refused, and who has to agree to the others.
//
// A rule is plain data, so that it can be written in a file, sent over HTTP, made with one click, listed and explained. It never
// accepts a form, a page, or what takes a person (`person: 'present'` or `'verified'`), and never what can destroy something
// unless it says so. What it decides is in the audit, with its id.
import type { Audience } from '../model/policy.js'

type Scalar = string | number | boolean | null

/** What an argument has to be. A value by itself means equality. */
export type Condition =
  | Scalar
  | { readonly oneOf: readonly Scalar[] }
  | { readonly min?: number | undefined; readonly max?: number | undefined }
  | { readonly prefix: string }
  /** `*` stands for any text. There is no other sign, so that no pattern can be slow. */
  | { readonly like: string }

/** Which calls a rule is about: all that it says has to hold. What it does not say may be anything. */
export interface RuleMatch {
  /** A name, in which `*` stands for any text. */
  readonly server?: string | undefined
  /** A name, in which `*` stands for any text. */
  readonly tool?: string | undefined
  readonly destructive?: boolean | undefined
  readonly readOnly?: boolean | undefined
  /** By name, or by JSON Pointer for what is further inside. An argument that is not there meets no condition. */
  readonly arguments?: Readonly<Record<string, Condition>> | undefined
  /** The arguments are these, and no others. */
  readonly exactArguments?: unknown
  /** Who called. */
  readonly principal?: string | undefined
  /** One of the groups of who called. */
  readonly group?: string | undefined
}

/** One standing decision. */
export interface Rule {
  readonly id: string
  readonly effect: 'allow' | 'deny' | 'ask'
  readonly match: RuleMatch
  /** Who is asked, with `ask`. Default: as the tool says. */
  readonly audience?: Audience | undefined
  /** How many of them have to agree, with `ask`. Default, with an audience: one. */
  readonly quorum?: number | undefined
  /** Who is asked instead when nobody has decided by then, with `ask`. */
  readonly escalation?: { readonly afterMs: number; readonly audience: Audience } | undefined
  /** Milliseconds. */
  readonly from?: number | undefined
  readonly until?: number | undefined
  /** Told to the model, with `deny`. */
  readonly reason?: string | undefined
  /** Whose rule it is: it counts as their answer, where they are asked. Absent: it is for the whole desk. */
  readonly owner?: string | undefined
}

/** A call, as rules see it. */
export interface RuledCall {
  readonly server: string
  readonly tool?: string | undefined
  readonly destructive?: boolean | undefined
  readonly readOnly?: boolean | undefined
  readonly input?: unknown
  /** Who called. */
  readonly principal?: string | undefined
  /** Of who called, where a directory says. */
  readonly groups?: readonly string[] | undefined
}
