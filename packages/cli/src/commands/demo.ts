import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startDemo } from '../demo/start-demo.js'
import { ownHost } from '../desk/own-host.js'
import { portOf } from '../desk/ports.js'
import { aboutLinks, printLinks } from '../desk/print-links.js'
import { exitCodes } from '../exit-codes.js'
import { openBrowser } from '../process/open-browser.js'
import { untilStopped } from '../process/until-stopped.js'
import { defaultStore } from '../store/open-store.js'
import { type Command, defineCommand } from './command.js'
import { ownDeskOptions } from './own-desk-options.js'

/** `beckon demo`, which `npm start` runs. */
export const command: Command = defineCommand({
  usage: `Runs an inbox, and an example server whose tools ask in every way, in one process.

Usage: beckon demo      (npm start, in the repository)`,
  options: {
    port: { type: 'string', value: 'port', help: 'the port (default: PORT, or 4747, or one that is free)' },
    ...ownDeskOptions,
    'no-open': { type: 'boolean', default: false, help: 'do not open the inbox in a browser' },
  },
  notes: `BECKON_KEY, where it is set, seals what is stored.`,
  async run({ values }) {
    const store = values.store ?? process.env.BECKON_STORE ?? defaultStore('demo')
    const port = portOf(values.port ?? (process.env.PORT || undefined))
    const demo = await startDemo({ port, host: ownHost(values.host), store, say: line => console.log(line) })
    try {
      const stopped = untilStopped()
      console.log(welcome(demo.link, demo.newSecondLink(), demo.mcpUrl, demo.galleryUrl))
      if (!values['no-open'] && process.stdout.isTTY) openBrowser(demo.link)
      const stopPrinting = printLinks(demo)
      await stopped
      stopPrinting()
      return exitCodes.ok
    } finally {
      await demo.close()
    }
  },
})

/** How this command is run again: by its name, or by its file where it runs from a clone. */
function ownCommand(): string {
  const main = fileURLToPath(new URL('../main.js', import.meta.url))
  return main.includes(`${sep}node_modules${sep}`) ? 'npx @beckon/cli' : 'npx beckon'
}

function welcome(link: string, secondLink: string, mcpUrl: string, galleryUrl: string): string {
  const config = JSON.stringify({ mcpServers: { beckon: { type: 'http', url: mcpUrl } } })
  return `
Inbox:   ${link}
         ${aboutLinks}
Grace's: ${secondLink}
         You are Ada. Some calls take two people: open this beside it, in the same browser, and be Grace as well.
Widgets: ${galleryUrl}

Press "Try it" there, or let an agent call the example server:

  claude mcp add --transport http beckon ${mcpUrl}
  ${config}

or call it from another terminal, in this folder: ${ownCommand()} call ${mcpUrl} plan_trip

Ctrl-C ends it.
`
}
