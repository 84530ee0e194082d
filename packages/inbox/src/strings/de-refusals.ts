import { words } from './de-words.js'

/** Why the desk refused something, by its code. */
const byCode: ReadonlyMap<string, string> = new Map([
  ['ask-expired', 'Die Zeit für eine Antwort ist um.'],
  ['ask-ended', 'Diese Frage ist nicht mehr offen.'],
  ['ask-not-found', 'Diese Frage ist nicht mehr offen.'],
  ['passkey-required', 'Dem stimmen Sie mit Ihrem Passkey zu, nicht mit einem Klick.'],
  ['passkey-missing', 'Sie haben hier noch keinen Passkey.'],
  ['passkey-invalid', 'Der Passkey gilt dafür nicht. Bestätigen Sie es noch einmal.'],
  ['question-not-found', 'Diese Frage wurde inzwischen anders gestellt.'],
  ['session-not-found', 'Dieses Gespräch gibt es nicht mehr.'],
  ['unavailable', 'Das konnte nicht gespeichert werden. Senden Sie es noch einmal.'],
  ['too-many', 'Zu viel auf einmal. Warten Sie einen Moment und senden Sie es noch einmal.'],
])

/** Why the desk refused something. What is wrong with an answer has the same code whatever it is: then it is known by its words. */
export function refused(code: string | undefined, reason: string): string {
  return byCode.get(code ?? '') ?? words(reason)
}
