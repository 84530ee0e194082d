import { createDesk, type Desk, type DeskOptions } from '@beckon/desk'
import { type Notify, notify } from '@beckon/desk/notify'
import { email } from '@beckon/desk/notify/email'
import { push } from '@beckon/desk/notify/push'
import { usageError } from '../cli-error.js'
import { ownHost } from '../desk/own-host.js'
import { listenOn, portOf } from '../desk/ports.js'
import { aboutLinks, printLinks } from '../desk/print-links.js'
import { serverTokens, withToken } from '../desk/server-tokens.js'
import { exitCodes } from '../exit-codes.js'
import { openBrowser } from '../process/open-browser.js'
import { untilStopped } from '../process/until-stopped.js'
import { defaultStore, openStore } from '../store/open-store.js'
import { type Command, defineCommand } from './command.js'
import { ownDeskOptions } from './own-desk-options.js'

const usualPort = 4748

/** `beckon inbox` */
export const command: Command = defineCommand({
  usage: `Runs a desk with its inbox: people answer there what tools ask.

Usage: beckon inbox`,
  options: {
    port: { type: 'string', value: 'port', help: `the port (default: ${usualPort}, or one that is free)` },
    ...ownDeskOptions,
    server: {
      type: 'string',
      value: 'name',
      multiple: true,
      default: [] as string[],
      help: 'let a server elsewhere open asks here, and print the address for its --desk; name=token chooses the token, otherwise every start makes a new one',
    },
    rules: {
      type: 'string',
      value: 'file',
      help: 'which calls need nobody, which are refused, and who has to agree to the others; read again when the file changes',
    },
    smtp: {
      type: 'string',
      value: 'url',
      help: 'send e-mail as well, through this server: smtps://name:password@mail.example (default: BECKON_SMTP, which keeps the password out of the process list)',
    },
    'mail-from': { type: 'string', value: 'address', help: 'the sender of that e-mail' },
    open: { type: 'boolean', default: false, help: 'open the inbox in a browser' },
  },
  notes: `The address for programs is a WebSocket that speaks the live protocol of the desk.`,
  async run({ values }) {
    const where = values.store ?? process.env.BECKON_STORE ?? defaultStore('inbox')
    const servers = serverTokens(values.server)
    const told = notifyBy(values.smtp ?? process.env.BECKON_SMTP, values['mail-from'])
    const store = await openStore(where)
    const desk = deskWith({ store, servers, rules: values.rules, notify: told })
    try {
      const host = ownHost(values.host)
      const wanted = { port: portOf(values.port), usual: usualPort, say: (line: string) => console.error(line) }
      const listening = await listenOn(wanted, port => desk.listen({ port, host }))
      const { url, link, socketUrl } = listening
      const stopped = untilStopped()
      console.log(`Inbox:        ${link}\n              ${aboutLinks}`)
      console.log(`For programs: ${socketUrl}`)
      for (const [name, token] of Object.entries(servers))
        console.log(`${`For ${name}:`.padEnd(13)} ${withToken(url, name, token)}`)
      console.log(`State:        ${where.replace(/\/\/[^@/]*@/, '//')}`)
      if (values.open) openBrowser(link)
      const stopPrinting = printLinks(listening)
      await stopped
      stopPrinting()
      return exitCodes.ok
    } finally {
      await desk.close()
      await store.close()
    }
  },
})

/** @throws CliError for a file of rules that has mistakes */
function deskWith(wanted: DeskOptions): Desk {
  try {
    return createDesk(wanted)
  } catch (error) {
    if (wanted.rules === undefined) throw error
    throw usageError(`The rules cannot be used.\n${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Push, and e-mail where there is a server for it. */
function notifyBy(smtp: string | undefined, from: string | undefined): Notify {
  if (smtp === undefined) return notify({ channels: [push()] })
  if (from === undefined) throw usageError('E-mail needs an address that it comes from: --mail-from <address>.')
  try {
    return notify({ channels: [push(), email({ smtp, from })] })
  } catch (error) {
    throw usageError(`E-mail cannot be sent: ${error instanceof Error ? error.message : String(error)}`)
  }
}
