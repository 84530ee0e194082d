// The pages of flows: `/beckon/go/<id>` for the person, `/beckon/<name>/...` for callbacks and webhooks.
import { StateRejectedError } from '@beckon/core'
import { type Browser, browserOf, pagePathOf } from '../pages/index.js'
import type { OpenFlow, Route, Visit } from './flow.js'
import { type FlowRecord, isOpen, statusAt } from './flow-records.js'
import type { Flows } from './flows.js'
import { openFlow } from './open-flow.js'
import { refuseVisitor, visitorOf } from './visitor.js'

/** Answers a request for a page of ours; undefined where there is none. */
export async function serveFlows(
  flows: Flows,
  request: Request,
  address: string | undefined,
): Promise<Response | undefined> {
  const { pathname } = new URL(request.url)
  const { name, rest } = pagePathOf(pathname) ?? { name: '', rest: '' }
  // Only for who was sent here: a server that was reached by another name knows no address of its own.
  const base = await flows.address.base().catch(() => undefined)
  if (base === undefined) return undefined
  const response = await (name === 'go'
    ? go(flows, { request, address }, base, rest)
    : route(flows, request, { base, name, rest }))
  return request.method === 'HEAD' && response !== undefined ? new Response(null, response) : response
}

/** A request for a page, and where it came from. */
type From = Pick<Visit, 'request' | 'address'>

/** Whether a page of that name is one of ours. */
export function hasPage({ known }: Flows, name: string): boolean {
  return name === 'go' || known.get(name)?.route !== undefined
}

/** Whether what is sent to a page of that name is read as it comes. */
export function takesStreams({ known }: Flows, name: string): boolean {
  return known.get(name)?.takesStreams === true
}

async function go(flows: Flows, from: From, base: string, id: string): Promise<Response> {
  const { pages, records, clock } = flows
  const { request } = from
  const record = await find(flows, id)
  if (record === undefined) return pages.unknown()
  const browser = browserOf(request, base, id)
  const refused = await refuseVisitor(flows, record, request, browser)
  if (refused !== undefined) return refused
  const over = await overPage(flows, record)
  if (over !== undefined) return over
  if (request.method !== 'POST') return show(flows, from, { id, record, browser, form: undefined })
  const form = new URLSearchParams(await request.text())
  if (!browser.isOurs(form)) return pages.forged()
  const claimed = await records.change(id, known => claim(known, browser, clock.now()))
  if (claimed === undefined)
    return go(flows, { ...from, request: new Request(request.url, { headers: request.headers }) }, base, id)
  return claimed.target === undefined
    ? show(flows, from, { id, record: claimed, browser, form })
    : pages.leave(claimed.target)
}

/** The flow as it goes on in a browser; undefined where it cannot. */
function claim(known: FlowRecord, { hash }: Browser, now: number): FlowRecord | undefined {
  if (!isOpen(known, now) || (known.principal === null && (known.browser ?? hash) !== hash)) return undefined
  return { ...known, status: 'opened', browser: hash }
}

async function show(
  flows: Flows,
  { request, address }: From,
  {
    id,
    record,
    browser,
    form,
  }: { id: string; record: FlowRecord; browser: Browser; form: URLSearchParams | undefined },
): Promise<Response> {
  const { pages, known } = flows
  const { csrf, headers } = browser
  if (record.target !== undefined) return pages.go({ message: record.message, url: record.target, csrf, headers })
  const page = known.get(record.flow)?.page
  // A process that was not given the middleware, or an older one.
  if (page === undefined) return pages.failed('This page is not here now. Try again in a moment.', 503)
  const again = () => new Response(null, { status: 303, headers: { Location: id, 'Cache-Control': 'no-store' } })
  return page({ again, request, address, flow: openFlow(flows, id, record), form, csrf, headers, pages })
}

async function route(
  flows: Flows,
  request: Request,
  { base, name, rest }: { base: string; name: string; rest: string },
): Promise<Response | undefined> {
  const flow = flows.known.get(name)
  const mine = async (id: string) => {
    const record = await find(flows, id)
    return record?.flow === name ? record : undefined
  }
  const found: Route = {
    rest,
    url: `${base}/beckon/${name}`,
    pages: flows.pages,
    store: flows.store,
    now: () => flows.clock.now(),
    async visitor() {
      const principal = await visitorOf(flows, request)
      return typeof principal === 'string' ? { principal, browser: browserOf(request, base, name) } : principal
    },
    async open(id) {
      const record = await mine(id)
      if (record === undefined) return { kind: 'refused', response: flows.pages.unknown() }
      const refused = await refuseReturn(flows, record, request, browserOf(request, base, id))
      if (refused !== undefined) return { kind: 'refused', response: refused }
      const flow = openFlow(flows, id, record)
      const over = await overPage(flows, record)
      return over === undefined ? { kind: 'open', flow } : { kind: 'over', flow, response: over }
    },
    async take(id, form) {
      const record = await mine(id)
      if (record === undefined) return { kind: 'refused', response: flows.pages.unknown() }
      const browser = browserOf(request, base, id)
      const refused = await refuseVisitor(flows, record, request, browser)
      if (refused !== undefined) return { kind: 'refused', response: refused }
      const over = await overPage(flows, record)
      if (over !== undefined) return { kind: 'over', flow: openFlow(flows, id, record), response: over }
      if (!browser.isOurs(form)) return { kind: 'refused', response: flows.pages.forged() }
      const claimed = await flows.records.change(id, known => claim(known, browser, flows.clock.now()))
      if (claimed === undefined) return { kind: 'refused', response: flows.pages.notYours() }
      return { kind: 'open', flow: openFlow(flows, id, claimed) }
    },
    async find(id): Promise<OpenFlow | undefined> {
      const record = await mine(id)
      return record && openFlow(flows, id, record)
    },
  }
  return flow?.route?.(request, found)
}

/** The page for someone who comes back from elsewhere and may not go on: they went there from our page, in this browser. */
async function refuseReturn(
  flows: Flows,
  record: FlowRecord,
  request: Request,
  browser: Browser,
): Promise<Response | undefined> {
  const refused = await refuseVisitor(flows, record, request, browser)
  if (refused !== undefined) return refused
  return record.browser === browser.hash ? undefined : flows.pages.notYours()
}

/** The page of a flow that is over; undefined while it can go on. */
async function overPage(flows: Flows, record: FlowRecord): Promise<Response | undefined> {
  const { pages, clock } = flows
  if (await isDone(flows, record)) return pages.alreadyDone()
  if (record.status === 'failed') return pages.failed(record.reason ?? 'This was not finished.', 410)
  return clock.now() >= record.expiresAt ? pages.expired() : undefined
}

/** A record that this server cannot open was not made by it. */
function find({ records }: Flows, id: string): Promise<FlowRecord | undefined> {
  return records.find(id).catch(error => {
    if (error instanceof StateRejectedError) return undefined
    throw error
  })
}

async function isDone({ clock, completions }: Flows, record: FlowRecord): Promise<boolean> {
  const status = statusAt(record, clock.now())
  return status === 'done' || status === 'settling' || (await completions.isDone(record.elicitationId))
}
