// Answers of access itself. Nothing here is ever kept in a cache, framed, or run as a script, and whatever was not
// written by us is escaped.
import { describeRefusal, type Refusal } from '@beckon/core/live'
import { codeOfStatus, refusals } from '../policy/refusals.js'
import type { AccessRequest, AccessResponse, Header } from './access.js'

const always: readonly Header[] = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
]

/** What a page says. */
export interface Page {
  readonly title: string
  readonly text: string
  /** Where to go from here: a path of this desk. */
  readonly link?: { readonly text: string; readonly path: string }
  /** A button that posts to a path of this desk. */
  readonly button?: { readonly text: string; readonly path: string }
  /** What it is for programs, where it says no more than a refusal does. */
  readonly refusal?: Refusal
}

/** A small page for a browser; problem details for whatever is under `/api`, the same as JSON for a script that wants that, and plain text for anything else. */
export function page(
  request: AccessRequest,
  status: number,
  { title, text, link, button, refusal }: Page,
  headers: readonly Header[] = [],
): AccessResponse {
  const { code = codeOfStatus(status), params } = refusal ?? {}
  // A program there gets what it gets of all that is refused there.
  if (request.path.startsWith('/api/')) {
    const body = JSON.stringify({ type: 'about:blank', title, status, code, params, detail: text, link })
    return { status, headers: [['Content-Type', 'application/problem+json'], ...always, ...headers], body }
  }
  if (wants(request, 'application/json')) {
    const answer = json(status, { title, code, params, detail: text, link })
    return { ...answer, headers: [...answer.headers, ...headers] }
  }
  if (!wants(request, 'text/html')) {
    const type: Header = ['Content-Type', 'text/plain; charset=utf-8']
    return { status, headers: [type, ...always, ...headers], body: `${title}. ${text}\n` }
  }
  const more = [
    link && `<p><a href="${escaped(link.path)}">${escaped(link.text)}</a></p>`,
    button && `<form method="post" action="${escaped(button.path)}"><button>${escaped(button.text)}</button></form>`,
  ]
  const body = [
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escaped(title)}</title>`,
    '<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:10vh auto;padding:0 1rem}</style>',
    `<main><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${more.filter(Boolean).join('')}</main></html>`,
  ].join('\n')
  return {
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      [
        'Content-Security-Policy',
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      ],
      // With `no-referrer` a browser would send `Origin: null` with the form.
      ['Referrer-Policy', 'same-origin'],
      ...always,
      ...headers,
    ],
    body,
  }
}

/** A page that says why someone is not let in. */
export function refusedPage(
  request: AccessRequest,
  refusal: Refusal,
  about: Omit<Page, 'text' | 'refusal'>,
  headers: readonly Header[] = [],
): AccessResponse {
  const { http } = refusals[refusal.code]
  return page(request, http, { ...about, text: describeRefusal(refusal), refusal }, headers)
}

export function json(status: number, value: unknown): AccessResponse {
  return { status, headers: [['Content-Type', 'application/json'], ...always], body: JSON.stringify(value) }
}

/** Sends a browser elsewhere, by GET, and does not tell where from: that address may carry a key. */
export function redirect(location: string, headers: readonly Header[] = []): AccessResponse {
  return {
    status: 303,
    headers: [['Location', location], ['Referrer-Policy', 'no-referrer'], ...always, ...headers],
    body: '',
  }
}

export function wrongMethod(request: AccessRequest, allowed: string): AccessResponse {
  const text = `This address takes ${allowed} only.`
  return page(request, 405, { title: 'Method not allowed', text }, [['Allow', allowed]])
}

export function tooMany(request: AccessRequest, waitMs: number): AccessResponse {
  const seconds = Math.ceil(waitMs / 1000)
  const refusal = { code: 'too-many-attempts', params: { seconds } } as const
  return refusedPage(request, refusal, { title: 'Too many attempts' }, [['Retry-After', String(seconds)]])
}

function wants(request: AccessRequest, type: 'application/json' | 'text/html'): boolean {
  return request.header('accept')?.includes(type) ?? false
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
