// The rules of rounds, judged by what a server makes of those that are sent back in odd ways.
import { type Check, judge, type Rule } from './check.js'
import type { Fate, RoundFates } from './rounds.js'

interface RoundRule extends Rule {
  readonly probe: keyof RoundFates
  /** What a server must not make of it, and how that is said. */
  readonly broken: Partial<Record<Fate, string>>
}

const rules: readonly RoundRule[] = [
  {
    id: 'state-is-not-trusted',
    level: 'MUST',
    rule: 'A request state that was changed on the way is refused.',
    remedy: 'Seal the state: sign or encrypt it, and check that before anything else.',
    probe: 'changed',
    broken: { taken: 'a changed state was taken' },
  },
  {
    id: 'state-is-bound',
    level: 'SHOULD',
    rule: 'A request state counts for the call that it was made for.',
    remedy: 'Put the principal, the method, its parameters and an expiry into what is sealed, and compare.',
    probe: 'moved',
    broken: { taken: 'it was taken with other arguments' },
  },
  {
    id: 'state-is-used-once',
    level: 'SHOULD',
    rule: 'A round that was answered is not answered again with something else.',
    remedy: 'Remember which rounds were answered, and with what.',
    probe: 'repeated',
    broken: { taken: 'a second answer was taken' },
  },
  {
    id: 'unknown-answers-are-ignored',
    level: 'MUST',
    rule: 'An answer to something that was not asked is ignored.',
    remedy: 'Look for the keys that were asked, and at no others.',
    probe: 'unknown',
    broken: { error: 'it was answered with an error' },
  },
  {
    id: 'missing-answers-are-asked-again',
    level: 'SHOULD',
    rule: 'What was not answered is asked again.',
    remedy: 'Answer with input_required, and the requests that are still open.',
    probe: 'missing',
    broken: {
      error: 'it was answered with an error',
      failed: 'the tool failed instead',
      taken: 'the tool went on without an answer',
    },
  },
]

export function judgeRounds(all: readonly RoundFates[]): Check[] {
  return rules.map(({ probe, broken, ...rule }) => {
    const fates = all.flatMap(fates => fates[probe] ?? [])
    return judge(
      rule,
      fates.length > 0,
      fates.flatMap(fate => broken[fate] ?? []),
    )
  })
}
