import { inspectUrl } from '@beckon/core'
import { type Brand, type CheckedBrand, checkBrand } from './brand.js'
import { documents, type Page } from './document.js'
import { type Html, html } from './html.js'

/** The pages that a person sees, as responses that are ready to be sent. */
export interface Pages {
  readonly brand: CheckedBrand
  /** It is done, and the tab can be closed. */
  done(text?: string): Response
  failed(text: string, status?: number): Response
  /** Something is under way that needs nothing more of the person. */
  wait(title: string, text: string): Response
  expired(): Response
  notYours(): Response
  alreadyDone(): Response
  /** A link that this server never made. */
  unknown(): Response
  /** The server does not know who this is. */
  signIn(): Response
  /** A form that did not come from our own page. */
  forged(): Response
  /** Names the host that a link leads to, and asks before it goes there. */
  go(to: { message: string; url: string; csrf: Html; headers: Record<string, string> }): Response
  /** Goes to another host: by itself, and by a link. */
  leave(url: string): Response
  show(page: Page): Response
}

const marks = { good: '✓', bad: '!', slow: '…' } as const

export function createPages(given: Brand, server: string, allowHttp: boolean): Pages {
  const brand = checkBrand(given, server)
  const show = documents(brand)
  const notice = (kind: keyof typeof marks, title: string, text: string, status = 200): Response =>
    show({
      title,
      status,
      body: html`<p class="mark ${kind}" aria-hidden="true">${marks[kind]}</p>
<h1>${title}</h1>
<p>${text}</p>`,
    })

  /** What is opened was looked at when the flow began; a record that holds anything else leads nowhere. */
  function inspect(url: string) {
    const link = inspectUrl(url, { allowHttp })
    if (link.kind === 'refused') throw new TypeError(`A flow leads to an address that is refused: ${link.message}`)
    return link
  }

  return {
    brand,
    show,
    done: (text = 'You can close this page and go back to where you were asked.') => notice('good', 'Done', text),
    failed: (text, status = 400) => notice('bad', 'That did not work', text, status),
    wait: (title, text) => notice('slow', title, text),
    expired: () =>
      notice(
        'bad',
        'This link has expired',
        'It was open for a short time only. Ask for a new one where you were asked.',
        410,
      ),
    notYours: () =>
      notice(
        'bad',
        'This link is not yours',
        'It was made for somebody else, or for another browser. If someone sent it to you, close this page: whatever you did here would count for them.',
        403,
      ),
    alreadyDone: () => notice('good', 'This is already done', 'The link works once. You can close this page.', 410),
    unknown: () => notice('bad', 'This link is not valid', 'It is incomplete, or was not made by this server.', 404),
    signIn: () =>
      notice(
        'bad',
        'Sign in first',
        'This page is for one person, and we do not know who you are. Sign in, then open the link again.',
        401,
      ),
    forged: () =>
      notice(
        'bad',
        'Please start again',
        'This did not come from our own page, so nothing was done. Open the link again, and let this site keep a cookie.',
        403,
      ),

    go({ message, url, csrf, headers }) {
      const { displayHost, warnings } = inspect(url)
      const dangers = warnings.filter(({ level }) => level === 'danger')
      return show({
        title: `Continue to ${displayHost}`,
        headers,
        body: html`<h1>Continue to another site?</h1>
<p class="message">${message}</p>
<p class="host"><span class="quiet">This leads to</span><br><bdi dir="ltr">${displayHost}</bdi></p>
${dangers.map(({ message: danger }) => html`<p class="warning" role="alert">${danger}</p>`)}
<form method="post">${csrf}<button${dangers.length > 0 && html` class="risky"`}>Continue${
          dangers.length > 0 ? ' all the same' : isShort(displayHost) && html` to <bdi dir="ltr">${displayHost}</bdi>`
        }</button></form>
<p class="quiet">If you did not start this yourself, close this page.</p>`,
      })
    },

    leave(url) {
      const { displayHost, url: href } = inspect(url)
      return show({
        title: `To ${displayHost}`,
        refresh: href,
        body: html`<h1>Taking you to <bdi dir="ltr">${displayHost}</bdi></h1>
<p>If nothing happens, go on yourself.</p>
<p><a class="button" href="${href}" rel="noreferrer">Go on${isShort(displayHost) && html` to <bdi dir="ltr">${displayHost}</bdi>`}</a></p>`,
      })
    },
  }
}

/** Whether a host can be read at a glance, on a button. */
function isShort(host: string): boolean {
  return host.length <= 40
}
