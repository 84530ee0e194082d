import { parseArgs } from 'node:util'
import { createDesk } from '@beckon/desk'
import { listenOn, portOf } from '../desk/ports.js'
import { exitCodes } from '../exit-codes.js'
import { openBrowser } from '../process/open-browser.js'
import { untilStopped } from '../process/until-stopped.js'
import { defaultStore, openStore } from '../store/open-store.js'
import type { Command } from './command.js'

const usualPort = 4748

const help = `Runs a desk with its inbox: people answer there what tools ask.

Usage: beckon inbox

Options:
  --port <port>    default ${usualPort}, or one that is free
  --host <host>    default 127.0.0.1, which only this machine can reach
  --store <where>  memory, a SQLite file, postgres://... or redis://...
                   (default: BECKON_STORE, or a SQLite file in your data folder)
  --open           open it in a browser

The link that is printed signs in whoever opens it first, and works once.
The address for programs is a WebSocket that speaks the live protocol of the desk.`

const options = {
  port: { type: 'string' },
  host: { type: 'string', default: '127.0.0.1' },
  store: { type: 'string' },
  open: { type: 'boolean', default: false },
} as const

/** `beckon inbox` */
export const command: Command = {
  help,
  async run(args) {
    const { values } = parseArgs({ args: [...args], options })
    const where = values.store ?? process.env.BECKON_STORE ?? defaultStore('inbox')
    const desk = createDesk({ store: await openStore(where) })
    try {
      const { host } = values
      const { link, socketUrl } = await listenOn(portOf(values.port), usualPort, port => desk.listen({ port, host }))
      console.log(`Inbox:        ${link}`)
      console.log(`For programs: ${socketUrl}`)
      console.log(`State:        ${where.replace(/\/\/[^@/]*@/, '//')}`)
      if (values.open) openBrowser(link)
      await untilStopped()
      return exitCodes.ok
    } finally {
      await desk.close()
    }
  },
}
