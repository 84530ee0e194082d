/** As many characters as a person reads before deciding to read on. */
const shownCharacters = 1_200

/** A text that may be far too long: its beginning, and how much there is when that is not all. */
export interface Clamped {
  readonly shown: string
  readonly isCut: boolean
}

/** The beginning of a long text, never cut within a character. */
export function clamp(text: string, max: number = shownCharacters): Clamped {
  if (text.length <= max * 1.25) return { shown: text, isCut: false }
  const end = /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max
  return { shown: `${text.slice(0, end)}…`, isCut: true }
}

/** The first words of a text on one line, for lists and announcements. */
export function firstWords(text: string, max = 200): string {
  return clamp(
    text
      .slice(0, max * 4)
      .replace(/\s+/g, ' ')
      .trim(),
    max,
  ).shown
}

/** How long a text is, in words. */
export function sizeOf(text: string, tag: string): string {
  const kilobytes = text.length / 1024
  const unit = { style: 'unit', unit: 'kilobyte', maximumFractionDigits: kilobytes < 10 ? 1 : 0 } as const
  return new Intl.NumberFormat(tag, unit).format(kilobytes)
}
