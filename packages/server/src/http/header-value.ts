const sentinel = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/

/** What a header stands for: text that no header can carry comes as `=?base64?...?=`. Undefined when that is malformed. */
export function decodeHeaderValue(value: string): string | undefined {
  const plain = value.trim()
  if (!plain.startsWith('=?base64?') || !plain.endsWith('?=')) return plain
  const base64 = sentinel.exec(plain)?.[1]
  if (base64 === undefined) return undefined
  try {
    const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
