// A person confirms an ask with a passkey. This file is loaded when someone does: most never do.
import type { Answer } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import type { RefusalData } from '@beckon/core/live'
import { NotConfirmed } from './not-confirmed.js'

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

type Reply = Readonly<Record<string, unknown>> & Partial<RefusalData>

function given(reply: Reply): Reply {
  const { code, params, detail } = reply
  if (typeof code === 'string') throw new NotConfirmed({ code, params, reason: String(detail ?? '') })
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
