import type { Owner } from '../sessions/claim.js'

/** Whose applications a caller works with. Where callers are anonymous, everyone works with the gateway's own. */
export function ownerOf({ principal }: { readonly principal: string | undefined }): Owner {
  return principal ?? null
}
