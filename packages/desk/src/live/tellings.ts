// What a line is told as. It is the same for everyone who sees it, but for one that changes whom an ask is for: then the ask
// appears to some and goes for others, in the words of the protocol, and nobody else is told anything.
import type { Dialect } from '../asks/gate.js'
import { asked, completed } from '../asks/lines.js'
import type { Sight } from '../asks/visibility.js'
import type { Accepted } from '../log/act.js'
import type { SessionRecord } from '../state/session-record.js'
import { addressedToAll } from './asks.js'
import { type Addressed, addressed } from './envelope.js'

/** An action on its way to those to whom its line is this. */
interface Told extends Addressed {
  readonly to: Sight
}

/** What a line is told as in a dialect, on every channel, and to whom. */
export function addressedTo(line: Accepted, record: SessionRecord | undefined, dialect: Dialect): Told[] {
  return tellingsOf(line).flatMap(({ to, lines }) =>
    lines
      .flatMap(told => [...addressed(told, dialect), ...addressedToAll(told, record)])
      .map(({ channel, action }) => ({ to, channel, action })),
  )
}

/** Lines as they are told to everyone to whom the line is the same. */
interface Telling {
  readonly to: Sight
  readonly lines: readonly Accepted[]
}

function tellingsOf(line: Accepted): readonly Telling[] {
  const { session, act, at, seq } = line
  if (act.type !== 'audienceChanged') return [{ to: 'seen', lines: [line] }]
  const { requestId, policy } = act
  const appears = asked(session, policy.former.request, policy, { at })
  const goes = completed(session, { type: 'inputCompleted', requestId, response: 'cancel' }, { at })
  return [
    { to: 'appears', lines: appears.map(told => ({ ...told, seq })) },
    { to: 'goes', lines: goes.map(told => ({ ...told, seq })) },
  ]
}
