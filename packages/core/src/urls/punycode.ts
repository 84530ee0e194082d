/**
 * Decodes one Punycode label (RFC 3492), given without its `xn--`; undefined when it is not valid.
 *
 * @example
 * decodePunycode('mnchen-3ya') // 'münchen'
 */
export function decodePunycode(encoded: string): string | undefined {
  const dash = encoded.lastIndexOf('-')
  const letters = [...encoded.slice(0, Math.max(dash, 0))]
  let point = 128
  let place = 0
  let bias = 72

  for (let at = dash + 1; at < encoded.length; place++) {
    const before = place
    for (let weight = 1, k = 36; ; k += 36) {
      // a to z are 0 to 25 and 0 to 9 are 26 to 35, where parseInt has the digits first.
      const digit = (Number.parseInt(encoded.charAt(at++), 36) + 26) % 36
      if (Number.isNaN(digit)) return undefined
      place += digit * weight
      const threshold = Math.min(Math.max(k - bias, 1), 26)
      if (digit < threshold) break
      weight *= 36 - threshold
    }
    const length = letters.length + 1
    point += Math.floor(place / length)
    // Also false for a sum that ran out of the range of numbers.
    const valid = point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
    if (!valid) return undefined
    bias = adapt(place - before, length, before === 0)
    place %= length
    letters.splice(place, 0, String.fromCodePoint(point))
  }
  return letters.join('')
}

function adapt(delta: number, length: number, first: boolean): number {
  let left = Math.floor(delta / (first ? 700 : 2))
  left += Math.floor(left / length)
  let k = 0
  for (; left > 455; k += 36) left = Math.floor(left / 35)
  return k + Math.floor((36 * left) / (left + 38))
}
