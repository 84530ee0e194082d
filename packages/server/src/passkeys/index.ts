export type { Purpose } from './challenges.js'
export {
  type OpenPasskeys,
  type Passkeys,
  type PasskeysDeps,
  type PasskeysOptions,
  passkeys,
  type ServedPasskeys,
} from './passkeys.js'
export type {
  EnrolOptions,
  PasskeyRefusal,
  PasskeyView,
  PeoplePasskeys,
  PeoplePasskeysOptions,
  Verified,
} from './people-passkeys.js'
export type { RelyingParty, RelyingPartyOptions } from './relying-party.js'
