import { ReceiptKeys } from '../receipts/index.js'
import type { Clock } from '../runtime/clock.js'
import type { Store } from '../store/index.js'
import { PeoplePasskeys } from './people-passkeys.js'
import { type RelyingPartyOptions, relyingPartyAt } from './relying-party.js'

export interface PasskeysOptions extends RelyingPartyOptions {
  /** What becomes of an ask for someone who has no passkey yet: they make one first, or it is refused. Default: `enrol`. */
  readonly withoutPasskey?: 'enrol' | 'refuse' | undefined
}

/** What passkeys need of the server or desk that they are on. */
export interface PasskeysDeps {
  readonly store: Store
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

/** Passkeys, for a server or a desk that is given this. */
export interface Passkeys {
  open(deps: PasskeysDeps): OpenPasskeys
}

/**
 * Lets people confirm with a passkey, for asks with `person: 'verified'`.
 * @example
 * const desk = createDesk({ access, publicUrl: 'https://desk.example.com', passkeys: passkeys() })
 */
export function passkeys(options: PasskeysOptions = {}): Passkeys {
  const { withoutPasskey = 'enrol', ...party } = options
  return {
    open({ store, clock, name, address, prefix }) {
      const relyingParty = async () => relyingPartyAt(await address(), name, party)
      return {
        people: new PeoplePasskeys({ store, clock, relyingParty, prefix }),
        receipts: new ReceiptKeys({ store, clock, prefix }),
        withoutPasskey,
        async check() {
          await relyingParty()
        },
      }
    },
  }
}
