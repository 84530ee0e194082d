import type { Listening } from '@beckon/desk'
import { onEnter } from '../process/on-enter.js'

/** What is said of a link that signs someone in. */
export const aboutLinks: string = process.stdin.isTTY
  ? '(the link works once, and signs in the browser that opens it; Enter prints another)'
  : '(the link works once, and signs in the browser that opens it)'

/** Prints another link whenever someone presses Enter: a link works once, and for ten minutes. Gives back how to stop. */
export function printLinks({ newLink }: Pick<Listening, 'newLink'>): () => void {
  return onEnter(() => console.log(`Inbox: ${newLink()}`))
}
