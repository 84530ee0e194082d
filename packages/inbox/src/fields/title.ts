import type { Question } from '@beckon/core'

/** What a question is called. */
export interface Title {
  readonly text: string
  /** The property's own name, where something else stands for it. */
  readonly name?: string
  /** Whether it says all that the question's message does. */
  readonly isMessage: boolean
}

/** A description that is longer than a title stands under one. */
const maxTitleChars = 80

/** What the form of a bare value calls it. */
export const bareValue = 'value'

/** Its title; for a property that has none, what describes it, or else its name in words. */
export function titleOf({ id, title, message }: Question): Title {
  if (title !== undefined && title !== id) return { text: title, isMessage: title === message }
  const hasMessage = message !== '' && message !== id
  const isShort = hasMessage && message.length <= maxTitleChars && !message.includes('\n')
  if (!isShort) return { text: nameInWords(id), isMessage: !hasMessage }
  return { text: message, ...(id !== bareValue && { name: id }), isMessage: true }
}

/** A property's name as someone would write it: `dueDate`, `due_date` and `due-date` are "Due date". */
export function nameInWords(name: string): string {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[\s_\-.]+/gu, ' ')
    .trim()
  if (words === '') return name
  // Short forms such as URL stay as they are.
  const lower = words.split(' ').map(word => (/^\p{Lu}{2,}$/u.test(word) ? word : word.toLowerCase()))
  const text = lower.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
