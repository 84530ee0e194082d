import { compactVerify, createLocalJWKSet, errors } from 'jose'
import { type Receipt, readReceipt } from './receipt.js'
import { receiptType } from './receipt-keys.js'

/** What a check of a receipt came to. */
export type VerifiedReceipt =
  | { readonly isValid: true; readonly receipt: Receipt; readonly kid: string }
  /** `unknown-key`: another list of keys may have it. */
  | { readonly isValid: false; readonly why: 'malformed' | 'unknown-key' | 'forged'; readonly message: string }

/** As long as a receipt can be; ours have about a kilobyte. */
const maxChars = 100_000

/**
 * Checks a receipt against the published keys of who signed it, without asking anybody.
 * @example
 * const { keys } = await (await fetch('https://shop.example.com/beckon/receipts/jwks.json')).json()
 * const checked = await verifyReceipt(jws, { keys })
 * if (checked.isValid) console.log(checked.receipt.by)
 */
export async function verifyReceipt(jws: string, jwks: { readonly keys: readonly object[] }): Promise<VerifiedReceipt> {
  if (jws.length > maxChars) return invalid('malformed', `It has more than ${maxChars} characters.`)
  try {
    // What is not a key is passed over by the library.
    const keys = createLocalJWKSet({ keys: [...jwks.keys] } as Parameters<typeof createLocalJWKSet>[0])
    const { payload, protectedHeader } = await compactVerify(jws, keys, { algorithms: ['EdDSA'] })
    const { typ, kid } = protectedHeader
    if (typ !== receiptType || kid === undefined) return invalid('malformed', 'It is signed, and not a receipt.')
    const receipt = readReceipt(JSON.parse(new TextDecoder().decode(payload)))
    return receipt === undefined
      ? invalid('malformed', 'It is signed, and does not say what a receipt says.')
      : { isValid: true, receipt, kid }
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey)
      return invalid('unknown-key', 'None of these keys signed it. Get the list of who it says it is from.')
    if (error instanceof errors.JWSSignatureVerificationFailed)
      return invalid('forged', 'The signature does not fit: it was changed, or signed by somebody else.')
    return invalid('malformed', 'It is not a receipt.')
  }
}

/** What a receipt says, unchecked: for people to read why it is not good, and for nothing else. */
export function peekReceipt(jws: string): Receipt | undefined {
  try {
    return readReceipt(JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()))
  } catch {
    return undefined
  }
}

function invalid(why: Extract<VerifiedReceipt, { isValid: false }>['why'], message: string): VerifiedReceipt {
  return { isValid: false, why, message }
}
