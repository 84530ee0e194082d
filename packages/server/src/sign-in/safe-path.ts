// Threat: an open redirect. A link to our sign-in that leads, once the person trusts what they see, to a page of someone
// else. Browsers take `//evil.example`, `/\evil.example` and `/<tab>/evil.example` for other hosts.
const maxLength = 1_000

/** A path of ours, from something that claims to be one; `/` for anything else. */
export function safePath(text: string | undefined): string {
  const base = 'http://ours.invalid'
  if (text === undefined || text.length > maxLength || !/^\/(?![/\\])[!-~]*$/.test(text) || text.includes('\\'))
    return '/'
  if (!URL.canParse(text, base)) return '/'
  const { origin, pathname, search, hash } = new URL(text, base)
  // `/.//evil.example` is on our host, and its path, once resolved, is not.
  return origin === base && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/'
}
