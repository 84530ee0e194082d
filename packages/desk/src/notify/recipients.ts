// Who is told of an ask: those who may answer it and have not. By name they are told whether they were ever here; of a group,
// those whom the directory lists, and those who were here and are in it.
import type { Ask } from '../model/session.js'
import type { Directory, GroupsOf } from '../people/directory.js'
import { mayAnswer, type Person, type Role } from '../policy/audience.js'
import type { Recipient } from './channel.js'
import type { KnownPeople, KnownPerson } from './known-people.js'

export interface RecipientsOptions {
  readonly people: KnownPeople
  readonly directory: Directory | undefined
  readonly groupsOf: GroupsOf | undefined
  readonly roleOf: ((person: Person) => Role | undefined) | undefined
  readonly now: () => number
}

/** What a sign-in said of someone's groups counts for so long where no directory says. */
const groupsMs = 7 * 24 * 60 * 60 * 1000

export type Told = KnownPerson | { readonly principal: string; readonly settings?: undefined }

/** Those who were here, as they are found while several asks are looked at: read once. */
export class Recipients {
  readonly #options: RecipientsOptions
  #known: Promise<readonly KnownPerson[]> | undefined

  constructor(options: RecipientsOptions) {
    this.#options = options
  }

  async of(ask: Ask, max: number): Promise<Told[]> {
    const found = new Map<string, Told>()
    for (const person of await this.#candidates(ask)) {
      if (found.size >= max) break
      if (!found.has(person.principal) && (await this.isFor(ask, person))) found.set(person.principal, person)
    }
    return [...found.values()]
  }

  /** Whether someone may still answer an ask, and has not. */
  async isFor({ policy, approvals }: Ask, told: Told): Promise<boolean> {
    const { principal } = told
    if (policy.requester === principal || approvals.some(approval => approval.principal === principal)) return false
    const person = await this.#asPerson(told)
    const role = person.role ?? this.#options.roleOf?.(person)
    return mayAnswer(policy, role === undefined ? person : { ...person, role })
  }

  /** Someone, whether they were here or not. */
  async find(principal: string): Promise<Told> {
    return (await this.#options.people.find(principal)) ?? { principal }
  }

  async #candidates({ policy: { owner, audience } }: Ask): Promise<readonly Told[]> {
    if (owner !== undefined) return [await this.find(owner)]
    const { principals = [], groups = [] } = audience ?? {}
    const { directory } = this.#options
    const listed = typeof directory === 'object' ? groups.flatMap(group => directory[group] ?? []) : []
    const named = await Promise.all([...principals, ...listed].map(principal => this.find(principal)))
    const isOpen = audience === undefined || groups.length > 0
    return isOpen ? [...named, ...(await this.#everyone())] : named
  }

  #everyone(): Promise<readonly KnownPerson[]> {
    this.#known ??= this.#read()
    return this.#known
  }

  async #read(): Promise<KnownPerson[]> {
    const people: KnownPerson[] = []
    for await (const person of this.#options.people.all()) people.push(person)
    return people
  }

  async #asPerson(told: Told): Promise<Person> {
    const { groupsOf, now } = this.#options
    const { principal } = told
    const { groups, role, seenAt = 0 }: Partial<KnownPerson> = 'seenAt' in told ? told : {}
    const said = groupsOf === undefined ? undefined : await groupsOf(principal)
    const counted = said ?? (now() - seenAt < groupsMs ? groups : undefined)
    return { principal, ...(counted && { groups: counted }), ...(role && { role }) }
  }
}

export function recipientOf(told: Told): Recipient {
  const { principal, settings } = told
  const { language, timeZone } = settings ?? {}
  const email = 'seenAt' in told ? told.email : undefined
  return {
    principal,
    ...(email !== undefined && { email }),
    ...(language !== undefined && { language }),
    ...(timeZone !== undefined && { timeZone }),
  }
}
