// What the model and the desk say has no codes, so that it is known by its words; a test sees to it that all of it is here.

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
  [/^The time to answer this is over\.$/, 'Die Zeit für eine Antwort ist um.'],
  [/^This request is no longer open\.$/, 'Diese Frage ist nicht mehr offen.'],
  [/^There is no open request with this id\.$/, 'Diese Frage ist nicht mehr offen.'],
  [/^This request has no such question\.$/, 'Diese Frage wurde inzwischen anders gestellt.'],
  [/^There is no such session\.$/, 'Dieses Gespräch gibt es nicht mehr.'],
  [/^This question takes no answer in other words\.$/, 'Hier ist keine eigene Antwort möglich.'],
  [
    /^The desk could not keep this\. Send it again\.$/,
    'Das konnte nicht gespeichert werden. Senden Sie es noch einmal.',
  ],
  [/^Too many messages at once\..*$/, 'Zu viel auf einmal. Warten Sie einen Moment und senden Sie es noch einmal.'],
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
