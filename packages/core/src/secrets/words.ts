/**
 * Splits a name or a text into lower-case words with one space between: camelCase, snake_case, ALLCAPS and digits, and
 * Latin letters without their accents.
 *
 * @example
 * toWords('openaiAPIKey2') // 'openai api key 2'
 */
export function toWords(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/\p{Ll}(?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})|\p{N}(?=\p{L})|\p{L}(?=\p{N})/gu, '$& ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
}
