import type { PageVerifier } from '../author/send-verified.js'
import type { Flow } from '../flows/index.js'
import { ReceiptKeys } from '../receipts/index.js'
import type { Clock } from '../runtime/clock.js'
import type { Store } from '../store/index.js'
import { ownPage } from './own-page.js'
import { pageVerifier } from './page-verifier.js'
import { PeoplePasskeys } from './people-passkeys.js'
import { type RelyingPartyOptions, relyingPartyAt } from './relying-party.js'

export interface PasskeysOptions extends RelyingPartyOptions {
  /** What becomes of an ask for someone who has no passkey yet: they make one first, or it is refused. Default: `enrol`. */
  readonly withoutPasskey?: 'enrol' | 'refuse' | undefined
}

/** What passkeys need of the server or desk that they are on. */
export interface PasskeysDeps {
  readonly store: Store
  /** Where it is kept what is known of people, where that is another. */
  readonly people?: Store | undefined
  readonly clock: Pick<Clock, 'now'>
  /** What a person reads when they make one. */
  readonly name: string
  /** Where people are: known once it listens. */
  readonly address: () => string | Promise<string>
  /** What stands before every name in the store. */
  readonly prefix?: string | undefined
}

/** Passkeys on a server or desk. */
export interface OpenPasskeys {
  readonly people: PeoplePasskeys
  /** An answer with a passkey is always signed. */
  readonly receipts: ReceiptKeys
  readonly withoutPasskey: 'enrol' | 'refuse'
  /** @throws TypeError where no browser would use a passkey */
  check(): Promise<void>
}

/** What a server gets: the page where people confirm, and what serves it. */
export interface ServedPasskeys extends OpenPasskeys {
  readonly verifier: PageVerifier
  readonly flow: Flow
}

/** Passkeys, for a server or a desk that is given this. */
export interface Passkeys {
  open(deps: PasskeysDeps): OpenPasskeys
  /** The same with pages of our own. */
  serve(deps: PasskeysDeps, issuer: () => string): ServedPasskeys
}

/**
 * Lets people confirm with a passkey, for asks with `person: 'verified'`.
 * @example
 * const desk = createDesk({ access, publicUrl: 'https://desk.example.com', passkeys: passkeys() })
 */
export function passkeys(options: PasskeysOptions = {}): Passkeys {
  const { withoutPasskey = 'enrol', ...party } = options
  const passkeys: Passkeys = {
    open({ store, people = store, clock, name, address, prefix }) {
      const relyingParty = async () => relyingPartyAt(await address(), name, party)
      return {
        people: new PeoplePasskeys({ store: people, clock, relyingParty, prefix }),
        receipts: new ReceiptKeys({ store, clock, prefix }),
        withoutPasskey,
        async check() {
          await relyingParty()
        },
      }
    },
    serve(deps, issuer) {
      const opened = passkeys.open(deps)
      const { people, receipts } = opened
      const route = ownPage(people)
      const verifier = pageVerifier({ people, receipts, withoutPasskey, server: deps.name, issuer, route })
      return { ...opened, verifier, flow: verifier.flow }
    },
  }
  return passkeys
}
