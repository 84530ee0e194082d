import type { FieldProblemParams, Sentences, TextFormat } from '@beckon/core'

const formats: Readonly<Record<TextFormat, string>> = {
  email: 'eine E-Mail-Adresse ein, etwa name@example.com',
  uri: 'eine vollständige Adresse ein, etwa https://example.com',
  date: 'ein Datum ein',
  'date-time': 'Datum und Uhrzeit ein',
}

/** What is wrong with an answer, in German. */
export const fieldProblems: Sentences<FieldProblemParams> = {
  required: 'Eine Antwort ist nötig.',
  'text-expected': 'Geben Sie einen Text ein.',
  'number-expected': 'Geben Sie eine Zahl ein.',
  'integer-expected': 'Geben Sie eine ganze Zahl ein.',
  'boolean-expected': 'Antworten Sie mit Ja oder Nein.',
  'option-expected': 'Wählen Sie eine der Möglichkeiten.',
  'options-expected': 'Wählen Sie aus den Möglichkeiten.',
  'too-short': ({ min }) => `Geben Sie mindestens ${min} Zeichen ein.`,
  'too-long': ({ max }) => `Geben Sie höchstens ${max} Zeichen ein.`,
  'too-low': ({ min }) => `Geben Sie ${min} oder mehr ein.`,
  'too-high': ({ max }) => `Geben Sie ${max} oder weniger ein.`,
  'too-few': ({ min }) => `Wählen Sie mindestens ${min}.`,
  'too-many': ({ max }) => `Wählen Sie höchstens ${max}.`,
  format: ({ format }) => `Geben Sie ${formats[format]}.`,
  'freeform-not-allowed': 'Hier ist keine eigene Antwort möglich.',
  malformed: ({ field }) => `Diese Antwort lässt sich nicht lesen (${field}).`,
}
