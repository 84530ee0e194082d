// The page behind the example's URL ask: signing it ends the wait. It takes nothing but the id in its own address.
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Where the page is. */
export const pagePath = '/demo/terms'

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  // With `no-referrer` a browser would not say where the form comes from.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** Answers for the page. `complete` ends the wait of the person who was sent here, and is false when nobody was. */
export async function servePage(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  complete: (id: string) => Promise<boolean>,
): Promise<void> {
  const id = new URLSearchParams((incoming.url ?? '').split('?')[1]).get('id') ?? ''
  if (incoming.method === 'GET') {
    outgoing.writeHead(200, headers).end(html(signForm))
  } else if (incoming.method === 'POST' && isSameOrigin(incoming)) {
    const isKnown = await complete(id)
    outgoing.writeHead(isKnown ? 200 : 404, headers).end(html(isKnown ? signed : unknown))
  } else outgoing.writeHead(405, { allow: 'GET, POST' }).end()
}

/** Another site's page could send the form for someone; browsers say where a form comes from. */
function isSameOrigin({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`
}

const signForm =
  '<h1>The terms</h1><p>There are none: this is an example of a page that a tool sends a person to.</p><form method="post"><button>Sign</button></form>'
const signed = '<h1>Signed</h1><p>The tool goes on. You can close this page.</p>'
const unknown = '<h1>Nothing to sign</h1><p>This link was used before, or is too old.</p>'

function html(body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Beckon: an example</title><style>:root{color-scheme:light dark;font:1.1rem/1.5 system-ui;padding:2rem;max-width:36rem;margin:auto}button{font:inherit;padding:.5rem 2rem}</style>${body}</html>`
}
