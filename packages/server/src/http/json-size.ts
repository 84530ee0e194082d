// Threat: a body within its bytes that holds everyone up. An object of some hundred thousand members takes JavaScript
// longer to make, and each walk over it longer still, than its text is worth; one that is nested deeply runs a recursive
// function out of stack. A text is looked at before it is parsed, since that costs a hundredth of parsing it.

export interface SizeLimits {
  /** In all objects and lists together. */
  readonly values: number
  readonly depth: number
}

/** What there is too much of. */
export type Excess = keyof SizeLimits

/** Deeper than any real message, and far from what a recursive function cannot bear. */
export const maxDepth = 256

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c

/** Looks at the text of a JSON value. Of what is not JSON it may say anything. An empty object or list counts as one value. */
export function excessIn(text: string, limits: SizeLimits): Excess | undefined {
  // Each value takes a character at least, and each level two.
  if (text.length < limits.values && text.length < 2 * limits.depth) return undefined
  let values = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) at = endOfString(text, at)
    else if (char === comma) values++
    // "[" and "{", "]" and "}": each pair differs in one bit.
    else if ((char | 0x20) === 0x7b) {
      values++
      depth++
    } else if ((char | 0x20) === 0x7d) depth--
    if (depth > limits.depth) return 'depth'
    if (values > limits.values) return 'values'
  }
  return undefined
}

/** The same of a value that was parsed already. Looks at no more of it than it may have. */
export function excessOf(value: unknown, limits: SizeLimits): Excess | undefined {
  let values = 0
  return look(value, limits.depth)

  function look(inner: unknown, levels: number): Excess | undefined {
    if (typeof inner !== 'object' || inner === null) return undefined
    if (levels === 0) return 'depth'
    const before = values
    // What was parsed from JSON inherits nothing that could be counted.
    for (const key in inner) {
      if (++values > limits.values) return 'values'
      const excess = look((inner as Record<string, unknown>)[key], levels - 1)
      if (excess !== undefined) return excess
    }
    if (values === before) values++
    return values > limits.values ? 'values' : undefined
  }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before--
    if ((end - before) % 2 === 1) return end
  }
  return text.length
}
