// One process, one port: a desk with its inbox at `/`, and a server at `/mcp` whose tools ask in every way.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createDesk, type Desk, type Listening } from '@beckon/desk'
import { type AskDesk, type BeckonServer, createServer } from 'beckon'
import { type Store, sealedStore } from 'beckon/store'
import { readyWidgets } from 'beckon/widgets/ready'
import { clientInfo } from '../client-info.js'
import { listenOn } from '../desk/ports.js'
import { plainLine } from '../plain-text.js'
import { openStore } from '../store/open-store.js'
import { galleryPath, serveGallery } from './gallery.js'
import { pagePath, servePage } from './page.js'
import { demoPeople } from './people.js'
import { addTools } from './tools.js'
import { createTryIt } from './try-it.js'

export interface DemoOptions {
  /** Default: the usual one, or one that is free. */
  readonly port: number | undefined
  readonly host: string
  /** As `openStore` takes it. */
  readonly store: string
  readonly say: (line: string) => void
}

export interface Demo extends Listening {
  /** Another such link, for the second person. */
  newSecondLink(): string
  /** The ready widgets, side by side. */
  readonly galleryUrl: string
  /** Where MCP clients connect. */
  readonly mcpUrl: string
  close(): Promise<void>
}

const usualPort = 4747
const thisMachine = ['localhost', '127.0.0.1', '[::1]']

export async function startDemo({ port, host, store, say }: DemoOptions): Promise<Demo> {
  let url = ''
  const pageUrl = (id: string) => `${url}${pagePath.slice(1)}?id=${id}`
  let isClosing = false
  const stores: Store[] = []
  const openOwn = async () => {
    const opened = await openStore(store)
    stores.push(opened)
    return opened
  }
  const signIns = await openOwn()
  const { access, links } = demoPeople(signIns.shared ? sealedStore(signIns) : undefined)
  const desk: Desk = createDesk({
    store: await openOwn(),
    access,
    tryIt: trial => trying.click(trial),
    // What is tried ends with the demo, which is no news to the person who ended it.
    onError: error => isClosing || console.error(plainLine(error instanceof Error ? error.message : String(error))),
  })
  const server = await serverOf(desk)
  // Someone who clicks waits for as long as it takes; an agent's client would not.
  const trying = await createTryIt({ desk, serverOn: desk => serverOf(desk, 'hold'), say })

  async function serverOf(desk: AskDesk, wait?: 'hold'): Promise<BeckonServer> {
    const options = { ...clientInfo, name: 'beckon-demo', desk, allowedHosts: [...thisMachine, host], wait }
    const made = createServer({ ...options, widgets: [...readyWidgets], store: await openOwn() })
    addTools(made, pageUrl)
    return made
  }

  async function complete(id: string): Promise<boolean> {
    const known = await Promise.all([server.completeElicitation(id), trying.server.completeElicitation(id)])
    return known.some(Boolean)
  }

  function beside(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const path = (incoming.url ?? '').split('?')[0] ?? ''
    if (path === '/mcp' || path.startsWith('/beckon/')) server.node(incoming, outgoing)
    else if (path.startsWith(galleryPath)) serveGallery(incoming, outgoing)
    else if (path === pagePath) servePage(incoming, outgoing, complete).catch(() => outgoing.destroy())
    else return false
    return true
  }

  const listening = await listenOn({ port, usual: usualPort, say }, chosen =>
    desk.listen({ port: chosen, host, beside }),
  )
  url = listening.url
  return {
    ...listening,
    link: links(url).first,
    newLink: () => links(url).first,
    newSecondLink: () => links(url).second,
    mcpUrl: `${url}mcp`,
    galleryUrl: `${url}${galleryPath.slice(1)}`,
    async close() {
      isClosing = true
      await Promise.all([server.close(), trying.server.close()])
      await desk.close()
      await Promise.all(stores.map(opened => opened.close()))
    },
  }
}
