// Where a proxy has asks answered that its clients cannot show. It says on standard error where the person can answer.
import { createDesk, linkAccess } from '@beckon/desk'
import type { AskDesk } from 'beckon/desk/adapter'
import { deskAt } from '../desk/remote.js'
import { plainLine } from '../plain-text.js'
import { openBrowser } from '../process/open-browser.js'
import { aroundAsks } from './around-asks.js'

export interface ProxyDesk extends AskDesk {
  /** Where people answer; without a key, so that it can be told to a model. */
  readonly url: string
  say(line: string): void
  close(): Promise<void>
}

export interface ProxyDeskOptions {
  /** Opens the inbox in a browser with the first ask. */
  readonly opens: boolean
}

/** A desk of the proxy's own. */
export async function openProxyDesk({
  port,
  opens,
  rules,
}: ProxyDeskOptions & {
  port: number
  /** A file of rules. */
  rules: string | undefined
}): Promise<ProxyDesk> {
  const access = linkAccess()
  const desk = createDesk({
    access,
    rules,
    onError: error => say(error instanceof Error ? error.message : String(error)),
  })
  const { url } = await desk.listen({ port })
  const tell = announcer(opens)
  const told = aroundAsks(desk, ({ subject, request, link, isEnded }, outcome) => {
    // A link works once and for a while, so each ask has its own.
    if (!isEnded) tell(subject.server, request.message, access.link(url, new URL(link).pathname))
    return outcome()
  })
  return { ...told, url, say, close: () => desk.close() }
}

/** A desk elsewhere, by an address with the token that it has for this proxy; and who calls through it, as it knows them. */
export function proxyDeskAt(
  address: string,
  { opens, principal }: ProxyDeskOptions & { principal: string | undefined },
): ProxyDesk {
  const { url, desk: anonymous } = deskAt(address)
  const desk: AskDesk = {
    open: (subject, ...asked) => anonymous.open({ ...subject, principal: subject.principal ?? principal }, ...asked),
  }
  const tell = announcer(opens)
  const told = aroundAsks(desk, ({ subject, request, link, isEnded }, outcome) => {
    if (!isEnded) tell(subject.server, request.message, link)
    return outcome()
  })
  return { ...told, url, say, close: async () => {} }
}

function announcer(opens: boolean): (server: string, message: string, link: string) => void {
  let isOpened = false
  return (server, message, link) => {
    say(`${server} asks: ${message} Answer at ${link}`)
    if (opens && !isOpened) isOpened = openBrowser(link)
  }
}

function say(line: string): void {
  console.error(`beckon: ${plainLine(line)}`)
}
