/** Whether a text is like a pattern in which `*` stands for any text. Each part is looked for once, from left to right. */
export function isLike(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return text.length - at >= last.length && text.endsWith(last)
}
