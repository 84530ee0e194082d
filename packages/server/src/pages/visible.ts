// Threat: words with characters that reorder or hide what stands beside them, so that a person reads something other than
// what is there. They are shown by their number instead. Marks that only say a direction (U+200E, U+200F, U+061C) and
// joiners stay: some scripts need them.

const acting = /(?![\t\n])\p{Cc}|[\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0001}\u{e0020}-\u{e007f}]/gu

/** A text with nothing in it that acts on the text around it. */
export function visible(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(acting, character => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `[U+${code}]`
  })
}
