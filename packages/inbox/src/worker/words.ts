/** What a notification says in words of ours, by language. */
export interface WorkerWords {
  readonly accept: string
  readonly decline: string
  readonly testTitle: string
  readonly test: string
  readonly notSent: string
  readonly notSentMore: string
  readonly over: string
}

const en: WorkerWords = {
  accept: 'Accept',
  decline: 'Decline',
  testTitle: 'Notifications work',
  test: 'You are told here when a tool needs you.',
  notSent: 'Your answer was not sent',
  notSentMore: 'Open the inbox to answer.',
  over: 'It was over, or had changed, before your answer arrived.',
}

const de: WorkerWords = {
  accept: 'Annehmen',
  decline: 'Ablehnen',
  testTitle: 'Benachrichtigungen funktionieren',
  test: 'Hier erfährst du, wenn ein Werkzeug dich braucht.',
  notSent: 'Deine Antwort wurde nicht gesendet',
  notSentMore: 'Öffne den Posteingang, um zu antworten.',
  over: 'Die Anfrage war vorbei oder hatte sich geändert, bevor deine Antwort ankam.',
}

export function wordsFor(languages: readonly string[]): WorkerWords {
  for (const tag of languages) {
    const name = tag.toLowerCase().split('-')[0]
    if (name === 'de') return de
    if (name === 'en') return en
  }
  return en
}
