// An authenticator in this process, for what no browser would do: use another origin, leave user verification out, count back.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** @typedef {{ readonly challenge: string, readonly rp: { readonly id?: string } }} CreateOptions */
/** @typedef {{ readonly challenge: string, readonly rpId?: string }} GetOptions */

/**
 * What an authenticator does otherwise than it should.
 * @typedef {object} Quirks
 * @property {string} [origin]
 * @property {string} [rpId]
 * @property {boolean} [isVerified]
 * @property {number} [counter] Default: one more than the last time.
 * @property {string} [challenge]
 */

/** One passkey, on a device that counts. */
export class TestAuthenticator {
  /** @readonly */
  id = randomBytes(16).toString('base64url')
  #origin
  #privateKey
  #cose
  #counter = 0

  /** @param {string} origin */
  constructor(origin) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#origin = origin
    this.#privateKey = privateKey
    // kty: EC2, alg: ES256, crv: P-256, x and y.
    this.#cose = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
      Buffer.from(x, 'base64url'),
      Buffer.from([0x22, 0x58, 0x20]),
      Buffer.from(y, 'base64url'),
    ])
  }

  /**
   * @param {CreateOptions} options
   * @param {Quirks} [quirks]
   * @returns {object}
   */
  create(options, quirks = {}) {
    const id = Buffer.from(this.id, 'base64url')
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.#cose])
    const authData = Buffer.concat([this.#data(options.rp.id, 0x40, quirks), attested])
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      text('fmt'),
      text('none'),
      text('attStmt'),
      Buffer.from([0xa0]),
      text('authData'),
      Buffer.from([0x59, authData.length >> 8, authData.length & 0xff]),
      authData,
    ])
    const clientDataJSON = this.#client('webauthn.create', options.challenge, quirks)
    const response = { clientDataJSON: base64(clientDataJSON), attestationObject: base64(attestationObject) }
    return { ...this.#about(), response: { ...response, transports: ['internal'] } }
  }

  /**
   * @param {GetOptions} options
   * @param {Quirks} [quirks]
   * @returns {object}
   */
  get(options, quirks = {}) {
    const data = this.#data(options.rpId, 0, quirks)
    const clientDataJSON = this.#client('webauthn.get', options.challenge, quirks)
    const signed = Buffer.concat([data, createHash('sha256').update(clientDataJSON).digest()])
    const signature = sign('sha256', signed, this.#privateKey)
    return {
      ...this.#about(),
      response: {
        clientDataJSON: base64(clientDataJSON),
        authenticatorData: base64(data),
        signature: base64(signature),
      },
    }
  }

  #about() {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {} }
  }

  /**
   * @param {string} type
   * @param {string} challenge
   * @param {Quirks} quirks
   */
  #client(type, challenge, { origin = this.#origin, ...quirks }) {
    return Buffer.from(JSON.stringify({ type, challenge: quirks.challenge ?? challenge, origin, crossOrigin: false }))
  }

  /**
   * @param {string | undefined} rpId
   * @param {number} flags
   * @param {Quirks} quirks
   */
  #data(rpId, flags, { isVerified = true, counter = this.#counter + 1, ...quirks }) {
    this.#counter = counter
    const hash = createHash('sha256')
      .update(quirks.rpId ?? rpId ?? '')
      .digest()
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([hash, Buffer.from([0x01 | (isVerified ? 0x04 : 0) | flags]), count])
  }
}

/** A short text, as CBOR has it. @param {string} words */
function text(words) {
  return Buffer.concat([Buffer.from([0x60 + words.length]), Buffer.from(words)])
}

/** @param {Buffer} buffer */
function base64(buffer) {
  return buffer.toString('base64url')
}
