import { describeRefusal } from '@beckon/core/live'
import type { Audit } from '../audit/audit.js'
import type { NewEntry } from '../audit/entry.js'
import type { AskIndex } from '../index/ask-index.js'
import type { Actor } from '../model/events.js'
import type { Absences } from '../people/absences.js'
import { type GroupsOf, inDirectory } from '../people/directory.js'
import { mayDispose, maySee, type Viewer } from '../policy/audience.js'
import { readOnly, sessionNotFound } from '../policy/refusals.js'
import type { Sessions, Settled } from '../sessions/sessions.js'
import { callPrefix, createSession, disposeSession } from '../turns/decisions.js'
import type { SignEnding } from '../turns/turn.js'
import { type Checked, type ClientAction, cut, decideAction, requestIn, textIn } from './client-action.js'
import { isPeopleAction, type Receiver, receiverIn } from './people-actions.js'

export interface DeskActionsOptions {
  readonly sessions: Sessions
  readonly index: AskIndex
  readonly audit: Audit
  /** How many sessions a person may have made. */
  readonly maxSessions: number
  /** What may be drafted for one ask. */
  readonly maxDraftBytes: number
  readonly now: () => number
  /** Which groups someone is in now; absent where nobody but their sign-in says. */
  readonly groupsOf?: GroupsOf | undefined
  /** Whether there is such a person, as far as the desk knows. */
  readonly isKnown: (principal: string) => Promise<boolean>
  readonly absences: Pick<Absences, 'finder'>
  /** Where people accept with passkeys, or what they answer is signed. */
  readonly proofs?: ActionProofs | undefined
  readonly onError: (error: unknown) => void
}

/** What is found out of an action before it is decided. */
export interface ActionProofs {
  check(viewer: Viewer, client: ClientAction): Promise<Checked>
  /** What signs how asks end that no person does. */
  signer(): Promise<SignEnding>
}

/** In the audit, what a client calls something is cut after so many characters. */
const maxAuditChars = 200

/** What people do on a desk. */
export class DeskActions {
  readonly #options: DeskActionsOptions
  /** The sessions that people are making here, one after the other for each of them: else all would find the same room. */
  readonly #making = new Map<string, Promise<unknown>>()

  constructor(options: DeskActionsOptions) {
    this.#options = options
  }

  /** Takes an action of a client, or says why not. */
  async dispatch(known: Viewer, client: ClientAction): Promise<Settled> {
    const { sessions, now, maxDraftBytes, groupsOf, proofs } = this.#options
    // Anyone who left a group since they came in answers for it no more. What they draft they do on a proof that is looked at every
    // second.
    const viewer = endsAsks(client) || isPeopleAction(client.action) ? await inDirectory(known, groupsOf) : known
    const checked = proofs === undefined ? undefined : await proofs.check(viewer, client)
    const receiver = await this.#receiverOf(client)
    const settled = await sessions.change(client.session, session =>
      maySee(session, known) && !maySee(session, viewer)
        ? { refused: { code: 'group-left' } }
        : decideAction(session, viewer, client, { now: now(), maxDraftBytes, receiver, ...checked }),
    )
    if (settled.kind === 'refused' && settled.code !== 'recorded')
      this.#rejected(viewer, client, describeRefusal(settled))
    return settled
  }

  /** Whether whom an ask is handed to is somebody, and who stands in for them. */
  async #receiverOf({ action }: ClientAction): Promise<Receiver | undefined> {
    const to = receiverIn(action)
    if (to === undefined) return undefined
    const { isKnown, absences } = this.#options
    const [known, find] = await Promise.all([isKnown(to), absences.finder()])
    return { isKnown: known, standIns: never => find([to], never) }
  }

  async createSession(
    viewer: Viewer,
    id: string,
    { title = id, server = 'desk' }: { title?: string; server?: string } = {},
  ): Promise<Settled> {
    if (viewer.role === 'auditor') return { kind: 'refused', ...readOnly }
    if (id.startsWith(callPrefix)) return { kind: 'refused', code: 'name-reserved', params: { prefix: callPrefix } }
    const { principal } = viewer
    const make = () => this.#makeSession(viewer, { id, title, server })
    const made = (this.#making.get(principal) ?? Promise.resolve()).then(make, make)
    this.#making.set(principal, made)
    try {
      return await made
    } finally {
      if (this.#making.get(principal) === made) this.#making.delete(principal)
    }
  }

  async #makeSession(viewer: Viewer, wanted: { id: string; title: string; server: string }): Promise<Settled> {
    const { sessions, index, now, maxSessions } = this.#options
    if ((await index.countSessions(viewer.principal, maxSessions)) >= maxSessions)
      return { kind: 'refused', code: 'too-many-sessions', params: { max: maxSessions } }
    return sessions.change(wanted.id, session =>
      session === undefined
        ? createSession(session, wanted, { at: now(), by: actorOf(viewer) })
        : { refused: { code: 'session-exists' } },
    )
  }

  disposeSession(viewer: Viewer, id: string): Promise<Settled> {
    const { sessions, now } = this.#options
    return sessions.change(id, session => {
      if (!maySee(session, viewer)) return { refused: sessionNotFound }
      return mayDispose(session, viewer)
        ? disposeSession(session, { at: now(), by: actorOf(viewer) })
        : { refused: readOnly }
    })
  }

  /** Someone looks at a session. That nothing can be recorded must not keep anyone from looking. */
  viewed(viewer: Viewer, session: string): void {
    const { sessions, now } = this.#options
    const server = sessions.known(session)?.server
    this.#record({ event: 'viewed', at: now(), session, ...(server && { server }), by: actorOf(viewer) })
  }

  #rejected(viewer: Viewer, { session, action }: ClientAction, reason: string): void {
    const [request, question] = [requestIn(action), textIn(action, 'questionId')]
    this.#record({
      event: 'rejected',
      at: this.#options.now(),
      session: cut(session, maxAuditChars),
      ...(request !== undefined && { request: cut(request, maxAuditChars) }),
      ...(question !== undefined && { question: cut(question, maxAuditChars) }),
      by: actorOf(viewer),
      reason,
    })
  }

  #record(entry: NewEntry): void {
    const { audit, onError } = this.#options
    audit.record(entry).catch(onError)
  }
}

/** An answer, or the end of what asks are part of. */
function endsAsks({ action }: ClientAction): boolean {
  return /\/(inputCompleted|turnCancelled|truncated)$/.test(textIn(action, 'type') ?? '')
}

function actorOf({ principal, device }: Viewer): Actor {
  return { principal, device }
}
