const defaultMaxDepth = 100

const quote = 34
const backslash = 92

/**
 * Whether a JSON text is nested so deeply that walking its value, or writing it out again, could run out of stack. No
 * message comes near. Looks at the text, before it is parsed.
 */
export function isNestedTooDeeply(text: string, maxDepth: number = defaultMaxDepth): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInString) {
      if (code === backslash) at++
      else if (code === quote) isInString = false
    } else if (code === quote) isInString = true
    // [ and {, then ] and }.
    else if (code === 91 || code === 123) {
      if (++depth > maxDepth) return true
    } else if (code === 93 || code === 125) depth--
  }
  return false
}
