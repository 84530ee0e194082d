import type { ReceiptKeys } from 'beckon/receipts'
import type { Access } from '../access/index.js'

const keysPath = '/beckon/receipts/jwks.json'

/** Lets nobody in, and has the keys that check receipts for anyone who asks. */
export function publishedKeys(receipts: ReceiptKeys): Access {
  return {
    async authenticate() {
      return undefined
    },
    async handle({ path, method }) {
      if (path !== keysPath || (method !== 'GET' && method !== 'HEAD')) return undefined
      return {
        status: 200,
        headers: [
          ['content-type', 'application/jwk-set+json'],
          ['cache-control', 'public, max-age=3600'],
          ['access-control-allow-origin', '*'],
        ],
        body: method === 'HEAD' ? '' : JSON.stringify(await receipts.jwks()),
      }
    },
  }
}
