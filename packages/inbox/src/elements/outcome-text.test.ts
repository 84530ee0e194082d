import { expect, it } from 'vitest'
import { de } from '../strings/de.js'
import { en } from '../strings/en.js'
import { outcomeText } from './outcome-text.js'

it.each([
  [{ by: 'ann' }, 'Accepted by \u2068ann\u2069', 'Zugestimmt von \u2068ann\u2069'],
  [{ rule: 'small' }, 'Accepted by the rule \u2068small\u2069', 'Zugestimmt von der Regel \u2068small\u2069'],
  [
    { by: 'me', rule: 'own-1' },
    'Accepted by you, with a rule made earlier',
    'Zugestimmt von Ihnen, mit einer früheren Regel',
  ],
  [{}, 'Withdrawn: your answer is no longer needed', 'Zurückgezogen: Ihre Antwort ist nicht mehr nötig'],
])('says who or what has accepted: %j', (who, english, german) => {
  const ending = { response: 'accept' as const, at: 1, ...who }
  expect([en, de].map(strings => outcomeText(ending, 'me', strings))).toEqual([english, german])
})
