import { isLoopback } from 'beckon/http/adapter'
import { usageError } from '../cli-error.js'

/**
 * A host to listen on that this machine alone can reach. People sign in to these desks with a link, and anyone who
 * reaches the server beside one may call its tools: neither is for a network.
 */
export function ownHost(word: string): string {
  if (isLoopback(word)) return word
  throw usageError(
    `"${word}" can be reached from elsewhere, and this is for one machine. Leave --host out, and let people elsewhere ` +
      'in through a tunnel of yours; or make a desk of your own with createDesk, which knows other ways to sign in.',
  )
}
