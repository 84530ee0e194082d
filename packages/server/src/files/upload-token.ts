// Uploads from the page of a widget. It runs in a frame without cookies, in a host or in the inbox, so that nothing tells whose it is
// but a token for each field, which is in what its ask gives it. Threat: a token in other hands. It is good for one field of one ask
// while that is open, and lets one upload, and take back, nothing else; what counts is what the answer names, and the answer comes by
// the ask. So anyone who has the token and not the ask can take a file away, which is noticed, and slip none in. No page of another site
// has it: browsers let anybody's page send here, without cookies, and without a token it is refused before a byte is read.
import { digest } from '../crypto/digest.js'
import type { Route } from '../flows/index.js'
import type { OpenFilesFlow, Sent, StoredForm } from './stored-form.js'

/** The header that has the token. */
export const uploadHeader = 'x-beckon-upload'

/** The flow that a token is for, while it can go on. */
export async function flowOf(
  at: Route<StoredForm, Sent>,
  field: string,
  token: string,
): Promise<OpenFilesFlow | undefined> {
  const flow = await at.find(at.rest)
  if (flow === undefined || flow.isExpired || (flow.status !== 'pending' && flow.status !== 'opened')) return undefined
  const { tokens = {} } = flow.data
  const expected = Object.hasOwn(tokens, field) ? tokens[field] : undefined
  // Digests, so that the time that it takes tells nothing of the token.
  return expected !== undefined && digest(expected) === digest(token) ? flow : undefined
}

/** Any page may send here, and read what is said: without a token it is told nothing. Cookies do not come along. */
export const corsHeaders: Readonly<Record<string, string>> = { 'Access-Control-Allow-Origin': '*' }

/** What a browser asks before it sends anything. */
export function preflight(): Response {
  const headers = {
    ...corsHeaders,
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': `content-type, x-file-name, ${uploadHeader}`,
    'Access-Control-Max-Age': '600',
  }
  return new Response(null, { status: 204, headers })
}
