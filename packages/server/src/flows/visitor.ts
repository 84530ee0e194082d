// Threat: a link that was made for Alice is opened by Bob, who then pays, signs in or types for her. Anyone who opens a link
// must be who the call is for: by the server's own authorization; without one, on this machine alone, the browser that
// went on first. That is convenience and not identity: anyone else who uses this machine's browser is that browser.
import type { Browser } from '../pages/index.js'
import type { FlowRecord } from './flow-records.js'
import type { Flows } from './flows.js'

/** The page to answer with when someone may not go on with a flow; undefined when they may. */
export async function refuseVisitor(
  { identify, pages }: Pick<Flows, 'identify' | 'pages'>,
  record: Pick<FlowRecord, 'principal' | 'browser'>,
  request: Request,
  browser: Browser,
): Promise<Response | undefined> {
  if (record.principal === null)
    return record.browser === undefined || record.browser === browser.hash ? undefined : pages.notYours()
  const who = await visitorOf({ identify, pages }, request)
  if (typeof who !== 'string') return who
  return who === record.principal ? undefined : pages.notYours()
}

/** Who opens a page; else the page to answer with. */
export async function visitorOf(
  { identify, pages }: Pick<Flows, 'identify' | 'pages'>,
  request: Request,
): Promise<string | Response> {
  if (identify === undefined) return pages.notYours()
  try {
    return (await identify(new Request(request.url, { headers: request.headers }))) ?? pages.signIn()
  } catch (reason) {
    // The author's own way to a sign-in page.
    return reason instanceof Response ? reason : pages.signIn()
  }
}
