import { visible } from '@beckon/core'

const maxChars = 200

/** What a person's file is called, as a name alone: no path, and nothing that acts on the text around it. */
export function fileName(given: string): string {
  const last =
    given
      .slice(0, 4 * maxChars)
      .split(/[/\\]/)
      .at(-1) ?? ''
  const name = visible(last.replace(/\s+/g, ' '))
    .replace(/^[.\s]+/, '')
    .trim()
  return [...name].slice(0, maxChars).join('') || 'file'
}
