// A page to visit. Nothing is fetched and nothing opens before the person has seen the whole address and said yes.
import { inspectUrl } from '@beckon/core'
import type { DeskOutcome } from 'beckon/desk/adapter'
import type { ShownAsk } from '../answers/person.js'
import { openBrowser } from '../process/open-browser.js'
import { choose } from './choose.js'
import { bold, say, warn } from './screen.js'

export async function askUrl({ url = '', signal }: ShownAsk): Promise<DeskOutcome> {
  const link = inspectUrl(url, { allowHttp: true })
  if (link.kind === 'refused') {
    warn(`${link.message} It is cancelled.`)
    return { action: 'cancel' }
  }
  say(`It wants you to visit a page:\n\n  ${link.before}${bold(link.host)}${link.after}\n`)
  if (link.displayHost !== link.host) say(`The host reads ${bold(link.displayHost)}.`)
  for (const { level, message } of link.warnings) (level === 'danger' ? warn : say)(message)
  const isRisky = link.warnings.some(({ level }) => level === 'danger')
  const action = await choose<DeskOutcome['action']>({
    message: 'Open it?',
    choices: [
      { value: 'accept', label: 'Yes, open it', letter: 'y', hint: link.host },
      { value: 'decline', label: 'No', letter: 'n', hint: 'decline' },
      { value: 'cancel', label: 'Cancel', letter: 'c', hint: 'decide nothing now' },
    ],
    initial: isRisky ? 'decline' : 'accept',
    signal,
  })
  if (action !== 'accept') return { action: action ?? 'cancel' }
  if (!openBrowser(link.url)) say(`There is no browser here. Open this address yourself:\n\n  ${link.url}\n`)
  say('Waiting for the server to go on.')
  return { action: 'accept', content: {} }
}
