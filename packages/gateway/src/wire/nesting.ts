const deepest = 64
const quote = '"'.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)
const opening = new Set(Array.from('[{', char => char.charCodeAt(0)))
const closing = new Set(Array.from(']}', char => char.charCodeAt(0)))

/**
 * Whether a JSON text is nested so deeply that writing its value out again could run out of stack, as a schema in a list
 * of tools would be. Looks at the text, before it is parsed: brackets inside strings do not count.
 */
export function isNestedTooDeeply(text: string): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index)
    if (inString) {
      if (char === backslash) index++
      else if (char === quote) inString = false
    } else if (char === quote) inString = true
    else if (opening.has(char)) depth++
    else if (closing.has(char)) depth--
    if (depth > deepest) return true
  }
  return false
}
