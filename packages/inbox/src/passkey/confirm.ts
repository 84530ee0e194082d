// A person confirms an ask with a passkey. This file is loaded when someone does: most never do.
import type { Answer } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'

/** Why it was not confirmed, as the desk says it; without words, the person or their device turned away. */
class NotConfirmed extends Error {
  readonly code: string | undefined

  constructor(code?: string, reason = '') {
    super(reason)
    this.code = code
  }
}

/**
 * What the authenticator says to this very accept. For someone without a passkey one is made first, where the desk lets them.
 * @param desk the address of the desk's socket
 */
export async function confirmWithPasskey(
  desk: string,
  { session, request }: AskEntry,
  answers: Readonly<Record<string, Answer>>,
): Promise<object> {
  const at = `/api/asks/${encodeURIComponent(session)}/${encodeURIComponent(request.id)}/challenge`
  const post = (path: string, body: object = {}) => send(desk, path, body)
  const { passkeys, withoutPasskey } = given(await send(desk, '/api/passkeys'))
  if (withoutPasskey === 'enrol' && Array.isArray(passkeys) && passkeys.length === 0) {
    const { create } = given(await post('/api/passkeys/options'))
    given(await post('/api/passkeys', { create: await made(create) }))
  }
  return used(given(await post(at, { answers })).get)
}

type Reply = Readonly<Record<string, unknown>> & { readonly code?: string }

function given(reply: Reply): Reply {
  if (typeof reply.code === 'string') throw new NotConfirmed(reply.code, String(reply.detail ?? ''))
  return reply
}

async function send(desk: string, path: string, body?: object): Promise<Reply> {
  const headers = { 'content-type': 'application/json' }
  const url = new URL(path, desk.replace(/^ws/, 'http'))
  const response = await fetch(url, body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as Reply
}

async function made(options: unknown): Promise<object> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON)
  return written(await navigator.credentials.create({ publicKey }))
}

async function used(options: unknown): Promise<object> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  return written(await navigator.credentials.get({ publicKey }))
}

function written(credential: Credential | null): object {
  if (!(credential instanceof PublicKeyCredential)) throw new NotConfirmed()
  return credential.toJSON() as object
}
