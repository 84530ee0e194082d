/** The session that the page's address names after its `#`; empty for none. */
export function sessionInAddress(): string {
  const text = location.hash.slice(1)
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
