// The page where people keep their own passkeys: `/beckon/passkeys/mine`.
import type { Flow, Route } from '../flows/index.js'
import { html } from '../pages/index.js'
import { alert, passkeyForm } from './ask-pages.js'
import { pageScript } from './page-script.js'
import type { PasskeyView, PeoplePasskeys } from './people-passkeys.js'

/** Answers for the page of one's own passkeys. */
export function ownPage(people: PeoplePasskeys): NonNullable<Flow['route']> {
  return async (request, route) => {
    if (route.rest !== 'mine') return undefined
    const visitor = await route.visitor()
    if (visitor instanceof Response) return visitor
    const { principal, browser } = visitor
    if (request.method !== 'POST') return show(route, principal, browser)
    const form = new URLSearchParams(await request.text())
    if (!browser.isOurs(form)) return route.pages.forged()
    const trouble = await act(principal, form)
    return trouble === undefined ? again() : show(route, principal, browser, trouble)
  }

  /** Does what a person wants; what it came to, where it did not work. */
  async function act(principal: string, form: URLSearchParams): Promise<string | undefined> {
    const { create, get } = passkeyIn(form.get('passkey'))
    const wanted = form.get('do') ?? ''
    const done = wanted.startsWith('remove ')
      ? await people.remove(principal, wanted.slice('remove '.length), get)
      : await people.enrol(principal, { create, get, name: form.get('name')?.trim() || undefined })
    return done.isVerified ? undefined : done.message
  }

  async function show(
    { pages }: Route,
    principal: string,
    { csrf, headers }: Exclude<Awaited<ReturnType<Route['visitor']>>, Response>['browser'],
    trouble?: string,
  ): Promise<Response> {
    const keys = await people.list(principal)
    const options = await people.enrolOptions(principal)
    const removals = await Promise.all(
      keys.slice(0, maxRemovable).map(async key => ({ key, get: await people.removeOptions(principal, key.id) })),
    )
    const add = html`<div class="field"><label for="name">Name</label><input id="name" name="name" maxlength="100" placeholder="This device"></div><button value="enrol" data-ceremony="create">Add a passkey</button>`
    return pages.show({
      title: 'Your passkeys',
      status: trouble === undefined ? 200 : 403,
      headers,
      script: pageScript,
      body: html`<h1>Your passkeys</h1>
<p>They confirm what takes more than a click. Another one is added, and one is removed, with one that you have.</p>
${alert(trouble)}
${keys.length === 0 && html`<p class="quiet">You have none here yet.</p>`}
${removals.map(({ key, get }) => html`<h2>${key.name}</h2><p class="quiet">${describe(key)}</p>${get && passkeyForm(csrf, { get }, html`<button class="second" value="${`remove ${key.id}`}" data-ceremony="get" aria-label="${`Remove ${key.name}`}">Remove</button>`)}`)}
${options !== undefined && passkeyForm(csrf, options, add)}`,
    })
  }
}

/** Each has a challenge of its own on the page, of which a person has a few at most; so has what adds one. */
const maxRemovable = 7

function describe({ createdAt, usedAt }: PasskeyView): string {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  return `Added ${day(createdAt)}${usedAt === undefined ? '' : `, last used ${day(usedAt)}`}`
}

function again(): Response {
  return new Response(null, { status: 303, headers: { Location: 'mine', 'Cache-Control': 'no-store' } })
}

function passkeyIn(text: string | null): { create?: unknown; get?: unknown } {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
