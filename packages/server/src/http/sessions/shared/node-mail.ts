// What nodes send each other is in a mailbox of each. A hint says that there is something; since it may be lost, a node that
// has sessions looks every second as well.
//
// What strangers send has a mailbox of its own: when that is full, a known caller's is not.
import { BoundedMap } from '../../../runtime/bounded-map.js'
import { Mailbox, Watch } from '../../../store/handles/index.js'
import type { Mail } from './mail.js'
import type { Sharing } from './sharing.js'

const lookMs = 1_000
/** A node that does not look for so long is gone, and so is what it was sent. */
const keepMs = 10 * 60_000
/** More than there are nodes. */
const maxBoxes = 1_000

/** Whose sessions mail is about. */
type Kind = 'known' | 'anonymous'
const kinds: readonly Kind[] = ['known', 'anonymous']

export class NodeMail {
  readonly #sharing: Sharing
  readonly #deliver: (mail: Mail) => void
  readonly #onLook: () => boolean
  readonly #boxes = new BoundedMap<string, Mailbox<Mail>>({ max: maxBoxes })
  readonly #own: Readonly<Record<Kind, Reader>>
  readonly #watch: Watch

  /** @param onLook Told every second; false when nothing is here that mail could be about. */
  constructor(sharing: Sharing, deliver: (mail: Mail) => void, onLook: () => boolean) {
    this.#sharing = sharing
    this.#deliver = deliver
    this.#onLook = onLook
    const reader = (kind: Kind): Reader => new Reader(this.#boxOf(sharing.nodes.id, kind), mail => this.#deliver(mail))
    this.#own = { known: reader('known'), anonymous: reader('anonymous') }
    this.#watch = new Watch({
      store: sharing.store,
      clock: sharing.clock,
      topic: this.#topicOf(sharing.nodes.id),
      everyMs: lookMs,
      look: () => this.#look(),
      onHint: kind => this.#own[kind === 'known' ? kind : 'anonymous'].look(),
    })
  }

  /** Resolves once it is stored. */
  async send(node: string, mail: Mail, isKnown: boolean): Promise<void> {
    const kind = isKnown ? 'known' : 'anonymous'
    await this.#boxOf(node, kind).send(mail)
    // That is a hint, and the other looks by itself.
    this.#sharing.store.publish(this.#topicOf(node), kind).catch(() => {})
  }

  /** Reads what comes from now on. */
  async start(): Promise<void> {
    this.#watch.start()
    // Without hints it looks every second.
    await this.#watch.heard().catch(() => {})
  }

  stop(): void {
    void this.#watch.stop()
  }

  #look(): void {
    if (this.#onLook()) for (const kind of kinds) this.#own[kind].look()
    else this.stop()
  }

  #boxOf(node: string, kind: Kind): Mailbox<Mail> {
    const { store, clock } = this.#sharing
    const name = `mail/${kind}/${node}`
    const box = this.#boxes.get(name) ?? new Mailbox<Mail>({ store, name, clock, keepMs })
    this.#boxes.set(name, box)
    return box
  }

  #topicOf(node: string): string {
    return `mail/${node}`
  }
}

/** Reads a mailbox, one look after the other: those that are asked for meanwhile are one. */
class Reader {
  readonly #box: Mailbox<Mail>
  readonly #deliver: (mail: Mail) => void
  #isLooking = false
  #isAsked = false

  constructor(box: Mailbox<Mail>, deliver: (mail: Mail) => void) {
    this.#box = box
    this.#deliver = deliver
  }

  look(): void {
    this.#isAsked = true
    if (!this.#isLooking) void this.#look()
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    while (this.#isAsked) {
      this.#isAsked = false
      // A store that is away is looked at again in a second.
      await this.#box.take(this.#deliver).catch(() => {})
    }
    this.#isLooking = false
  }
}
