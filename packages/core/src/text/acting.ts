// Threat: words of a tool or a model with characters that act on the text around them: that turn the reading direction, hide,
// move what stands beside them, command a terminal, or paint over other lines. A person then reads something other than what is
// there. This is the one list, for pages, the inbox, the terminal and logs. It is strict: a mark that only says a direction
// turns "1000/10" into "100010/" as well.
// Letters of every script stay, with up to three marks each; joiners stay where scripts and emoji need them.

/** But for tabs and line feeds. */
const controls = '(?![\\t\\n])\\p{Cc}|[\\u2028\\u2029]'
/** Direction marks, embeddings, overrides, isolates. */
const turning = '[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u206f]'
/** Nothing to see: soft hyphens, fillers, spaces of no width, tags, selectors that choose no glyph, annotations. */
const hidden =
  '[\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u2060-\\u2065\\u2800\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb]|[\\u{e0000}-\\u{e0fff}]|[\\u{1bca0}-\\u{1bca3}]|[\\u{1d173}-\\u{1d17a}]'
/** Joiners between letters that nothing joins. */
const joiners = '(?<=^|[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Nd}\\p{P}\\p{Z}])[\\u200c\\u200d]'
/** Selectors behind what has one glyph to choose from: not an emoji, nor a digit that becomes a key. */
const selectors =
  '[\\ufe00-\\ufe0f](?<=(?:^|[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Inherited}\\p{Nd}\\p{Z}]|(?!\\p{Emoji})\\p{P}).)(?!\\u20e3)'

/** Every character that acts on other text. */
export const actingCharacters: RegExp = new RegExp(`${controls}|${turning}|${hidden}|${joiners}|${selectors}`, 'gu')

/** A text with each character that acts on other text written in another way. */
export function replaceActing(text: string, write: (character: string) => string): string {
  return text.replace(actingCharacters, write)
}
