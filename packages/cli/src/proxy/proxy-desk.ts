// The desk that a proxy runs for clients that cannot ask: it says on standard error where the person can answer.
import { createDesk, linkAccess } from '@beckon/desk'
import type { AskingDesk, AskingTurn } from '@beckon/host'
import { openBrowser } from '../process/open-browser.js'
import { plainLine } from '../terminal/plain-text.js'

export interface ProxyDesk extends AskingDesk {
  /** Where people answer; without a key, so that it can be told to a model. */
  readonly url: string
  /** How many asks are open. */
  readonly open: number
  say(line: string): void
  close(): Promise<void>
}

export interface ProxyDeskOptions {
  readonly port: number
  /** Opens the inbox in a browser with the first ask. */
  readonly opens: boolean
}

export async function openProxyDesk({ port, opens }: ProxyDeskOptions): Promise<ProxyDesk> {
  const access = linkAccess()
  const desk = createDesk({ access })
  const { url } = await desk.listen({ port })
  const say = (line: string) => console.error(`beckon: ${plainLine(line)}`)
  let open = 0
  let isOpened = false

  async function ask(turn: AskingTurn, server: string, ...[request, terms]: Parameters<AskingTurn['ask']>) {
    // A link works once and for a while, so each ask has its own.
    const link = access.link(url)
    say(`${server} asks: ${request.message} Answer at ${link}`)
    if (opens && !isOpened) isOpened = openBrowser(link)
    open++
    try {
      return await turn.ask(request, terms)
    } finally {
      open--
    }
  }

  return {
    url,
    say,
    get open() {
      return open
    },
    async session(id, options) {
      const session = await desk.session(id, options)
      const { server = id } = options ?? {}
      const wrapped = (turn: AskingTurn): AskingTurn => ({
        id: turn.id,
        ask: (...put) => ask(turn, server, ...put),
        complete: () => turn.complete(),
        cancel: () => turn.cancel(),
        fail: error => turn.fail(error),
      })
      return {
        id: session.id,
        startTurn: async message => wrapped(await session.startTurn(message)),
        activeTurn() {
          const turn = session.activeTurn()
          return turn && wrapped(turn)
        },
      }
    },
    close: () => desk.close(),
  }
}
