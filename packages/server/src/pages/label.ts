/** What people call the fields that authors name in short. */
const known: Readonly<Record<string, string>> = {
  username: 'User name',
  user: 'User name',
  userid: 'User ID',
  passwd: 'Password',
  pwd: 'Password',
  pass: 'Password',
  otp: 'One-time code',
  totp: 'One-time code',
  pin: 'PIN',
}

const initials = /^(api|id|ip|otp|pin|sms|ssh|url|vpn)$/

/** The label of a field without a title, from its name: `api_key` and `apiKey` are "API key". */
export function labelFrom(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter(Boolean)
    .map(word => word.toLowerCase())
  const own = words.join('')
  if (Object.hasOwn(known, own)) return known[own] ?? name
  const text = words.map(word => (initials.test(word) ? word.toUpperCase() : word)).join(' ')
  return text === '' ? name : text.charAt(0).toUpperCase() + text.slice(1)
}
