// Words that a model or a stranger chose, where people read them.
import { vi } from 'vitest'
import { z } from 'zod'
import { logger } from '../../src/middleware/logger/logger.js'
import { urlAction } from '../../src/middleware/url-action/url-action.js'
import { type Family, whileAliceIsAsked } from './attack.js'
import { overHttp } from './over-http.js'

/** Turns the direction, hides, clears the screen, begins a line that was never logged. */
const evil =
  'Pay\u202e01 \u200f1000/10 pay\u00adpal a\u0336\u0336\u0336\u0336\u0336\u0336 \ufff9x\u200b\ufeff\u2066\u001b[2J\u009b31m\u0000\u{e0041}\r\n{"outcome":"ok"}'
const acting =
  /(?![\n])\p{Cc}|[\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0041}]|\p{M}{4}/u

export const words: Family = {
  family: 'Words',
  attacks: [
    {
      attack: 'marks that turn the reading direction, hidden characters and escape sequences in a message, on our page',
      run: () =>
        whileAliceIsAsked(urlAction({ message: evil, url: 'https://pay.example' }), async ({ link, alice }) => {
          const { text } = await alice.get(link)
          const found = acting.exec(text)
          if (found !== null) throw new Error(`The page has ${JSON.stringify(found[0])}.`)
          return `shown by their numbers: ${/Pay\[U[^ ]+/.exec(text)?.[0]}`
        }),
    },
    {
      attack: 'the same in the arguments of a call that is logged',
      async run() {
        const lines: string[] = []
        const log = vi.spyOn(console, 'error').mockImplementation(line => void lines.push(String(line)))
        try {
          const { modern } = await overHttp(server => {
            server.tool('pay', logger(), { input: z.object({ to: z.string() }) }, () => 'paid')
          })
          await modern({ name: 'pay', arguments: { to: evil } })
        } finally {
          log.mockRestore()
        }
        const [line = ''] = lines
        if (
          lines.length !== 1 ||
          line.includes('\n') ||
          /[\u007f-\u009f\u00ad\u200b\u200f\u202e\u2066\ufeff\ufff9]/.test(line)
        )
          throw new Error(`The log has ${JSON.stringify(lines)}.`)
        if (JSON.parse(line).input.to !== evil) throw new Error('The log does not say what was sent.')
        return 'one line of JSON, with every such character escaped'
      },
    },
  ],
}
