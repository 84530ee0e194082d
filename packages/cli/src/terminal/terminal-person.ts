import { blocksText } from '@beckon/core/blocks'
import type { DeskOutcome } from 'beckon/desk/adapter'
import type { Person, ShownAsk } from '../answers/person.js'
import { plainLine, plainText } from '../plain-text.js'
import { askForm } from './ask-form.js'
import { askUrl } from './ask-url.js'
import { choose } from './choose.js'
import { bold, card, dim, say, warn } from './screen.js'

/** A terminal can be scrolled: it shows more than a client's dialog, and says what it leaves out. */
const maxShownChars = 16_000

/** The person at this terminal. */
export const terminalPerson: Person = async ask => {
  const about = ask.tool === undefined ? '' : dim(` for ${plainLine(ask.tool)}`)
  card(`${bold(plainLine(ask.server))} asks${about}`, plainText(ask.message))
  if (ask.show.length > 0) say(plainText(blocksText(ask.show, maxShownChars)))
  if (ask.isDestructive) warn('This tool can delete or overwrite things.')
  if (ask.url !== undefined) return askUrl(ask)
  return ask.questions.length === 0 ? confirmAsk(ask) : askForm(ask)
}

async function confirmAsk({ signal }: ShownAsk): Promise<DeskOutcome> {
  const action = await choose<DeskOutcome['action']>({
    message: 'Go ahead?',
    choices: [
      { value: 'accept', label: 'Yes', letter: 'y' },
      { value: 'decline', label: 'No', letter: 'n' },
      { value: 'cancel', label: 'Cancel', letter: 'c', hint: 'decide nothing now' },
    ],
    // Enter alone must not agree to anything.
    initial: 'decline',
    signal,
  })
  return action === 'accept' ? { action, content: {} } : { action: action ?? 'cancel' }
}
