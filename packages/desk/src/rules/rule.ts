// Standing decisions: which calls need nobody, which are refused, and who has to agree to the others.
//
// A rule is plain data, so that it can be written in a file, sent over HTTP, made with one click, listed and explained. Cedar
// was looked at: it is a policy language of its own, a few megabytes of WebAssembly, and answers "may they", not "whom to ask
// and how many"; people who approve calls read and write these rules, so they are as small as what has to be said.
import type { Audience } from '../model/policy.js'

export type Scalar = string | number | boolean | null

/** What an argument has to be. A name of its own means equality. */
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

export interface Rule {
  readonly id: string
  readonly effect: 'allow' | 'deny' | 'ask'
  readonly match: RuleMatch
  /** Who is asked, with `ask`. Default: who called. */
  readonly audience?: Audience | undefined
  /** How many of them have to agree, with `ask`. */
  readonly quorum?: number | undefined
  /** Milliseconds. */
  readonly from?: number | undefined
  readonly until?: number | undefined
  /** Told to the model, with `deny`. */
  readonly reason?: string | undefined
  /** Whose rule it is, where a person made it for their own calls. Without: an admin's. */
  readonly owner?: string | undefined
}

/** A call, as rules see it. */
export interface RuledCall {
  readonly server: string
  readonly tool?: string | undefined
  readonly destructive?: boolean | undefined
  readonly readOnly?: boolean | undefined
  readonly input?: unknown
  readonly principal?: string | undefined
  readonly groups?: readonly string[] | undefined
}
