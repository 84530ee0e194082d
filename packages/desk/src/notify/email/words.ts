/** The words of letters, in a language. What is asked is in the words of who asks. */
export interface LetterWords {
  readonly tag: string
  asks(who: string, what: string): string
  reminder(subject: string): string
  digest(count: number): string
  readonly destructive: string
  until(time: string): string
  arguments: string
  open: string
  /** At the end of every letter. */
  readonly about: string
  readonly codeSubject: string
  code(code: string): string
  /** Of a letter that was sent before: nobody has to answer any more. */
  readonly doneSubject: string
  done(link: string): string
  readonly testSubject: string
  readonly test: string
}

const en: LetterWords = {
  tag: 'en',
  asks: (who, what) => `${who} asks: ${what}`,
  reminder: subject => `Reminder: ${subject}`,
  digest: count => `${count} asks wait for your answer`,
  destructive: 'This tool can delete or overwrite things.',
  until: time => `Until ${time}`,
  arguments: 'Arguments',
  open: 'Open it in your inbox',
  about:
    'You answer in your inbox, after you have signed in: neither a reply nor following the link answers anything. There you can also change when you are told.',
  codeSubject: 'Your code for notifications',
  code: code =>
    `Type this code into the settings of your inbox, within 30 minutes:\n\n${code}\n\nIf you did not ask for it, do nothing.`,
  doneSubject: 'No answer is needed any more',
  done: link => `What you were asked was answered or withdrawn, or is for others by now. What came of it: ${link}`,
  testSubject: 'Notifications work',
  test: 'This is the test that you asked for in your inbox.',
}

const de: LetterWords = {
  tag: 'de',
  asks: (who, what) => `${who} fragt: ${what}`,
  reminder: subject => `Erinnerung: ${subject}`,
  digest: count => `${count} Anfragen warten auf deine Antwort`,
  destructive: 'Dieses Werkzeug kann etwas löschen oder überschreiben.',
  until: time => `Bis ${time}`,
  arguments: 'Argumente',
  open: 'Im Posteingang öffnen',
  about:
    'Du antwortest in deinem Posteingang, nachdem du dich angemeldet hast: Weder eine Antwort auf diese Nachricht noch der Link beantworten etwas. Dort kannst du auch ändern, wann du benachrichtigt wirst.',
  codeSubject: 'Dein Code für Benachrichtigungen',
  code: code =>
    `Gib diesen Code innerhalb von 30 Minuten in den Einstellungen deines Posteingangs ein:\n\n${code}\n\nWenn du ihn nicht angefordert hast, musst du nichts tun.`,
  doneSubject: 'Keine Antwort mehr nötig',
  done: link =>
    `Was du gefragt wurdest, ist beantwortet oder zurückgezogen, oder andere werden jetzt gefragt. Was daraus wurde: ${link}`,
  testSubject: 'Benachrichtigungen funktionieren',
  test: 'Das ist der Test, um den du in deinem Posteingang gebeten hast.',
}

export function wordsFor(language: string | undefined): LetterWords {
  return language?.toLowerCase().split('-')[0] === 'de' ? de : en
}
