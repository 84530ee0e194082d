// Two people of the demo, so that what takes two can be tried by one: who someone is depends on the name that their browser
// reaches this machine by. Cookies are kept by name, so both can be open side by side in one browser. Each name has one-time
// links of its own, as any desk on this machine has.
import { type Access, type AccessRequest, type LinkAccess, linkAccess } from '@beckon/desk'
import type { Store } from 'beckon/store'

/** Those who are asked by name. */
export const people = { first: 'ada', second: 'grace' } as const

export interface DemoPeople {
  readonly access: Access
  /** New one-time links, for where the desk listens. */
  links(url: string): { readonly first: string; readonly second: string }
}

/** @param store where sign-ins are kept; in memory without one */
export function demoPeople(store: Store | undefined): DemoPeople {
  const first = linkAccess({ person: { principal: people.first, role: 'admin' }, store })
  const second = linkAccess({ person: { principal: people.second }, store })
  const of = (request: AccessRequest): LinkAccess => (isSecond(request.header('host') ?? '') ? second : first)
  return {
    access: {
      loopbackOnly: true,
      authenticate: request => of(request).authenticate(request),
      handle: request => of(request).handle(request),
      challenge: request => of(request).challenge?.(request) ?? { status: 401, headers: [], body: '' },
      close() {
        first.close()
        second.close()
      },
    },
    links: url => ({ first: first.link(namedLike(url, false)), second: second.link(namedLike(url, true)) }),
  }
}

const secondName = 'localhost'

function isSecond(host: string): boolean {
  return host.replace(/:\d+$/, '').toLowerCase() === secondName
}

/** The same place, by the name that is the first person's or the second's. */
function namedLike(url: string, second: boolean): string {
  const named = new URL(url)
  if (second) named.hostname = secondName
  else if (isSecond(named.hostname)) named.hostname = '127.0.0.1'
  return named.href
}
