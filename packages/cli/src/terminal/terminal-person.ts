import type { DeskOutcome } from '@beckon/host'
import { select } from '@clack/prompts'
import type { Person, PutAsk } from '../answers/person.js'
import { askForm } from './ask-form.js'
import { askUrl } from './ask-url.js'
import { plainLine, plainText } from './plain-text.js'
import { bold, card, common, dim, given } from './screen.js'

/** Whoever sits at this terminal. */
export const terminalPerson: Person = async ask => {
  const about = ask.tool === undefined ? '' : dim(` for ${plainLine(ask.tool)}`)
  card(`${bold(plainLine(ask.server))} asks${about}`, plainText(ask.message))
  if (ask.url !== undefined) return askUrl(ask)
  return ask.questions.length === 0 ? confirmAsk(ask) : askForm(ask)
}

async function confirmAsk({ signal }: PutAsk): Promise<DeskOutcome> {
  const action = given(
    await select<DeskOutcome['action']>({
      ...common(signal),
      message: 'Go ahead?',
      options: [
        { value: 'accept', label: 'Yes' },
        { value: 'decline', label: 'No' },
        { value: 'cancel', label: 'Cancel', hint: 'decide nothing now' },
      ],
      // Enter alone must not agree to anything.
      initialValue: 'decline',
    }),
  )
  return action === 'accept' ? { action, content: {} } : { action: action ?? 'cancel' }
}
