// A push service on this machine, and the devices that take messages from it. It takes what a desk sends as the real ones do
// (RFC 8030), and cannot read it; a device can, with its own keys (RFC 8291, RFC 8188).
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TakenPush {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

export interface Device {
  /** What its browser would give to a page. */
  readonly subscription: {
    readonly endpoint: string
    readonly keys: { readonly p256dh: string; readonly auth: string }
  }
  readonly path: string
  /** What it was sent, as texts. */
  read(): string[]
}

export interface PushService {
  readonly url: string
  readonly taken: TakenPush[]
  /** With what each path is answered; 201 where nothing is said. */
  readonly answers: Map<string, number>
  newDevice(): Device
  close(): Promise<void>
}

export async function startPushService(): Promise<PushService> {
  const taken: TakenPush[] = []
  const answers = new Map<string, number>()
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const path = incoming.url ?? ''
    const status = answers.get(path) ?? 201
    if (status === 201) taken.push({ path, headers: incoming.headers, body: Buffer.concat(chunks) })
    outgoing.writeHead(status).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    taken,
    answers,
    newDevice() {
      const keys = createECDH('prime256v1')
      const p256dh = keys.generateKeys()
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(12).toString('base64url')}`
      const subscription = {
        endpoint: `${url}${path}`,
        keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
      }
      const read = () =>
        taken.filter(push => push.path === path).map(({ body }) => decrypt(body, { keys, p256dh, auth }))
      return { subscription, path, read }
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}

interface DeviceKeys {
  readonly keys: ReturnType<typeof createECDH>
  readonly p256dh: Buffer
  readonly auth: Buffer
}

function decrypt(body: Buffer, { keys, p256dh, auth }: DeviceKeys): string {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + keyLength)
  const sealed = body.subarray(21 + keyLength)
  const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, sender])
  const secret = derive(keys.computeSecret(sender), auth, about, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2)).toString()
}

/** The claims that a push is signed with, as a push service checks them (RFC 8292). Throws when the signature is wrong. */
export function vapidClaims({ headers }: TakenPush): {
  readonly aud: string
  readonly sub: string
  readonly key: string
} {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(\S+)$/.exec(String(headers.authorization)) ?? []
  const raw = Buffer.from(key, 'base64url')
  const [x, y] = [raw.subarray(1, 33), raw.subarray(33)].map(part => part.toString('base64url'))
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const [head, claims = '', signature = ''] = token.split('.')
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('The signature is wrong.')
  return { ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string; sub: string }), key }
}
