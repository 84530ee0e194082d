// Receipts of a server: what signs them, and where their keys are published. Nothing here runs on a server without them.
import type { AskSigner } from '../author/receipts.js'
import { pagePathOf } from '../pages/index.js'
import type { ReceiptKeys } from '../receipts/index.js'

/** Its name among our pages: `/beckon/receipts/jwks.json`. */
export const receiptsPage = 'receipts'

export interface ServerReceipts extends AskSigner {
  /** Answers a request for the published keys; undefined for every other. */
  page(request: Request): Promise<Response> | undefined
}

export interface ServerReceiptsOptions {
  readonly server: string
  readonly signsAll: boolean
  readonly issuer: () => string
}

export function serverReceipts(keys: ReceiptKeys, { server, signsAll, issuer }: ServerReceiptsOptions): ServerReceipts {
  return {
    signsAll,
    async sign({ id, principal, ...answered }) {
      await keys.ready()
      const by = principal === undefined ? [] : [{ principal, method: 'click' as const }]
      return keys.sign({ ...answered, iss: issuer(), jti: id, server, by, where: 'client' })
    },
    page(request) {
      const { name, rest } = pagePathOf(new URL(request.url).pathname) ?? {}
      return name === receiptsPage && rest === 'jwks.json' && request.method !== 'POST' ? published(keys) : undefined
    },
  }
}

async function published(keys: ReceiptKeys): Promise<Response> {
  return new Response(JSON.stringify(await keys.jwks()), {
    headers: {
      'Content-Type': 'application/jwk-set+json',
      'Cache-Control': 'public, max-age=3600',
      'Access-Control-Allow-Origin': '*',
    },
  })
}
