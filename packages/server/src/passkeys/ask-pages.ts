// What a person sees who confirms with a passkey on our own page.
import type { Content, Form } from '@beckon/core'
import { questionsOf } from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import type { Visit } from '../flows/index.js'
import { blocksHtml, fieldsOf, type Html, html } from '../pages/index.js'
import { pageScript } from './page-script.js'

/** What is asked, and of whom it is. */
export interface Shown {
  readonly server: string
  readonly tool: string
  readonly arguments: unknown
  readonly message: string
  readonly show?: readonly Block[] | undefined
  readonly form?: Form | undefined
  readonly asker?: string | undefined
}

/** A form that is filled in before it is confirmed. */
export function formPage(
  { csrf, headers, pages }: Visit,
  shown: Shown,
  { typed = {}, trouble }: { typed?: Content; trouble?: string },
): Response {
  const form = shown.form ?? { type: 'object', properties: {} }
  return pages.show({
    title: 'Answer, then confirm',
    status: trouble === undefined ? 200 : 422,
    headers,
    hasImages: hasImages(shown),
    body: html`<h1>Answer, then confirm with your passkey</h1>
${subject(shown)}
${trouble !== undefined && html`<p class="warning" role="alert">${trouble}</p>`}
<form method="post">${csrf}${fieldsOf(form, { typed, problems: new Map() })}<button name="do" value="review">Continue</button></form>
${declineForm(csrf)}`,
  })
}

/** What will be confirmed. */
export function confirmPage(
  { csrf, headers, pages }: Visit,
  shown: Shown,
  { get, content, trouble }: { get: object; content: Content; trouble?: string | undefined },
): Response {
  const questions = shown.form === undefined ? [] : questionsOf(shown.form)
  return pages.show({
    title: 'Confirm with your passkey',
    headers,
    script: pageScript,
    hasImages: hasImages(shown),
    body: html`<h1>Confirm with your passkey</h1>
${subject(shown)}
${questions.length > 0 && html`<dl>${questions.map(({ id, title }) => html`<dt>${title ?? id}</dt><dd>${content[id] === undefined ? '' : String(content[id])}</dd>`)}</dl>`}
${alert(trouble)}
<form method="post" data-passkey="${JSON.stringify({ get })}">${csrf}<input type="hidden" name="passkey"><input type="hidden" name="do"><input type="hidden" name="content" value="${JSON.stringify(content)}"><button value="accept" data-ceremony="get">Confirm with passkey</button></form>
${declineForm(csrf)}
<p class="quiet">Your device asks whether it is you. The assistant that sent you here cannot do this for you.</p>`,
  })
}

/** For someone who has no passkey yet. */
export function enrolPage({ csrf, headers, pages }: Visit, options: object, trouble: string | undefined): Response {
  return pages.show({
    title: 'Create a passkey',
    headers,
    script: pageScript,
    body: html`<h1>Create a passkey first</h1>
<p>You are asked to confirm something with a passkey, and have none here yet. It stays on your device; from then on it confirms that it is you.</p>
${alert(trouble)}
${passkeyForm(csrf, options, html`<button value="enrol" data-ceremony="create">Create a passkey</button>`)}
${declineForm(csrf)}`,
  })
}

/** A form that the script fills in with what an authenticator says. */
export function passkeyForm(csrf: Html, options: object, buttons: Html): Html {
  return html`<form method="post" data-passkey="${JSON.stringify(options)}">${csrf}<input type="hidden" name="passkey"><input type="hidden" name="do">${buttons}</form>`
}

/** Where the script, too, says what went wrong. */
export function alert(trouble: string | undefined): Html {
  return html`<p class="warning" role="alert" id="trouble">${trouble ?? ''}</p>`
}

function hasImages({ show = [] }: Shown): boolean {
  return show.some(({ kind }) => kind === 'image')
}

function subject({ server, tool, arguments: input, message, show = [], asker }: Shown): Html {
  const given = JSON.stringify(input, undefined, 2) ?? ''
  return html`<p class="message">${message}</p>
${blocksHtml(show)}
<p class="quiet">Asked by <bdi>${asker === undefined ? server : `${asker}, through ${server}`}</bdi>, for <bdi>${tool}</bdi></p>
${given !== '' && given !== '{}' && html`<pre>${given}</pre>`}`
}

function declineForm(csrf: Html): Html {
  return html`<form method="post">${csrf}<button class="second" name="do" value="decline">Decline</button></form>`
}
