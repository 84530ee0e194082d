/** The ask that the page's address names, as `/asks/{session}/{id}`; undefined for none. */
export function askInAddress(): { readonly session: string; readonly request: string } | undefined {
  const [, area, session, request = ''] = location.pathname.split('/').map(decoded)
  return area === 'asks' && session ? { session, request } : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
