// What the model says of an answer has no codes, nor has what a desk says at its door, so that it is known by its words; a test
// sees to it that all of it is here.

const known: readonly (readonly [RegExp, string])[] = [
  [/^An answer is required\.$/, 'Eine Antwort ist nötig.'],
  [/^Enter a text\.$/, 'Geben Sie einen Text ein.'],
  [/^Enter a number\.$/, 'Geben Sie eine Zahl ein.'],
  [/^Enter a whole number\.$/, 'Geben Sie eine ganze Zahl ein.'],
  [/^Enter (\S+) or more\.$/, 'Geben Sie $1 oder mehr ein.'],
  [/^Enter (\S+) or less\.$/, 'Geben Sie $1 oder weniger ein.'],
  [/^Enter at least (\d+) characters?\.$/, 'Geben Sie mindestens $1 Zeichen ein.'],
  [/^Enter at most (\d+) characters?\.$/, 'Geben Sie höchstens $1 Zeichen ein.'],
  [/^Enter an e-mail address, such as (\S+)\.$/, 'Geben Sie eine E-Mail-Adresse ein, etwa $1.'],
  [/^Enter a full address, such as (\S+)\.$/, 'Geben Sie eine vollständige Adresse ein, etwa $1.'],
  [/^Enter a date, such as (\S+)\.$/, 'Geben Sie ein Datum ein.'],
  [/^Enter a date and time, such as (\S+)\.$/, 'Geben Sie Datum und Uhrzeit ein.'],
  [/^Answer yes or no\.$/, 'Antworten Sie mit Ja oder Nein.'],
  [/^Choose one of the options\.$/, 'Wählen Sie eine der Möglichkeiten.'],
  [/^Choose from the options\.$/, 'Wählen Sie aus den Möglichkeiten.'],
  [/^Choose at least (\d+) options?\.$/, 'Wählen Sie mindestens $1.'],
  [/^Choose at most (\d+) options?\.$/, 'Wählen Sie höchstens $1.'],
  [/^This question takes no answer in other words\.$/, 'Hier ist keine eigene Antwort möglich.'],
  [
    /^Open the one-time link .*$/,
    'Öffnen Sie den Link, den der Server im Terminal ausgibt; danach geht es hier weiter.',
  ],
  [/^Sign in with (\S+) to use this desk\.$/, 'Melden Sie sich bei $1 an.'],
]

/** What the model or the desk said in English, in German, also after the title of a question. What is new stays as it is. */
export function words(text: string): string {
  const [, prefix = '', rest = text] = /^([^:"]{1,80}: )?(.+)$/s.exec(text) ?? []
  for (const candidate of [text, rest]) {
    const found = known.find(([pattern]) => pattern.test(candidate))
    if (found) return (candidate === text ? '' : prefix) + candidate.replace(...found)
  }
  return text
}
