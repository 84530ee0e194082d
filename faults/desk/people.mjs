// Who is on the desk: three people, one of them with two devices, in both dialects.

/** @type {Record<string, { principal: string, groups?: string[] }>} */
export const tokens = {
  'a-token-of-ada': { principal: 'ada', groups: ['ops'] },
  'a-token-of-bob': { principal: 'bob', groups: ['ops'] },
  'a-token-of-cyd': { principal: 'cyd' },
}

/** @type {readonly { name: string, token: string, dialect: '0.3' | '1.0' }[]} */
export const devices = [
  { name: 'ada-1', token: 'a-token-of-ada', dialect: '1.0' },
  { name: 'ada-2', token: 'a-token-of-ada', dialect: '0.3' },
  { name: 'bob-1', token: 'a-token-of-bob', dialect: '0.3' },
  { name: 'cyd-1', token: 'a-token-of-cyd', dialect: '1.0' },
]

/**
 * Whether an ask is for someone.
 * @param {{ principals?: readonly string[], groups?: readonly string[] } | undefined} audience
 * @param {string} token
 */
export function isFor(audience, token) {
  const { principal, groups = [] } = tokens[token] ?? { principal: '' }
  if (audience === undefined) return true
  return audience.principals?.includes(principal) || audience.groups?.some(group => groups.includes(group)) || false
}
