// A person confirms an ask with a passkey. This file is loaded when someone does: most never do.
import type { Answer } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { ApiError, askDesk } from '../api/desk-api.js'

/**
 * What the authenticator says to this very accept. For someone without a passkey one is made first, where the desk lets them.
 * @param api where the desk answers over HTTP
 */
export async function confirmWithPasskey(
  api: string,
  { session, request }: AskEntry,
  answers: Readonly<Record<string, Answer>>,
): Promise<object> {
  const at = `/api/asks/${encodeURIComponent(session)}/${encodeURIComponent(request.id)}/challenge`
  const post = (path: string, body: object = {}) => askDesk(api, path, { body })
  const { passkeys, withoutPasskey } = await askDesk(api, '/api/passkeys')
  if (withoutPasskey === 'enrol' && Array.isArray(passkeys) && passkeys.length === 0) {
    const { create } = await post('/api/passkeys/options')
    await post('/api/passkeys', { create: await made(create) })
  }
  return used((await post(at, { answers })).get)
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
  if (!(credential instanceof PublicKeyCredential)) throw new ApiError()
  return credential.toJSON() as object
}
