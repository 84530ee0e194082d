/** How long the reason of a decline may be, in characters. */
export const maxReasonChars = 2_000
/** How long the text that is searched for may be, in characters. */
export const maxSearchChars = 200
/** Where counting stops. */
export const maxCount = 1_000
