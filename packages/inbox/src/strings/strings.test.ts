import { expect, it } from 'vitest'
import { de } from './de.js'
import { ago, duration } from './durations.js'
import { languageFor } from './strings.js'

it('takes the first language that it has', () => {
  expect(languageFor(['fr-FR', 'de-AT', 'en']).tag).toBe('de-AT')
  expect(languageFor(['fr']).tag).toBe('en')
})

it('says in German what the model and the desk say', () => {
  expect(de.words('Enter at least 2 characters.')).toBe('Geben Sie mindestens 2 Zeichen ein.')
  expect(de.words('Name: An answer is required.')).toBe('Name: Eine Antwort ist nötig.')
  expect(de.words('Something new.')).toBe('Something new.')
})

it('gives times in one unit', () => {
  expect(duration(3 * 60_000 + 59_000, 'en')).toBe('3 min')
  expect(duration(26 * 3_600_000, 'en')).toBe('1 day')
  expect(duration(-5, 'en')).toBe('0 sec')
  expect(ago(0, 5 * 60_000, 'en')).toBe('5 min. ago')
  expect(ago(0, 59_000, 'en')).toBe('now')
})
