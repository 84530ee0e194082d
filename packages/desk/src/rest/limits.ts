/** How long the reason of a decline may be, in characters. */
export const longestReason = 2_000
