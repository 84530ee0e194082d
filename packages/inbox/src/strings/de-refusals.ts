import { type Sentences, sentenceOf } from '@beckon/core'
import type { RefusalParams, RejectionParams } from '@beckon/core/live'
import { fieldProblems } from './de-fields.js'

const passkeyInvalid: Readonly<Record<RefusalParams['passkey-invalid']['why'], string>> = {
  unknown: 'Dieser Passkey gehört hier nicht zu Ihnen.',
  challenge: 'Das wurde schon bestätigt, hat zu lange gedauert oder galt etwas anderem. Bestätigen Sie es noch einmal.',
  invalid: 'Der Passkey ließ sich nicht prüfen. Bestätigen Sie es noch einmal, auch gegenüber dem Gerät.',
  cloned: 'Das Gerät zählt, als gäbe es zwei davon. Nehmen Sie einen anderen Passkey und entfernen Sie diesen.',
  changed:
    'Die Frage oder ihre Antworten haben sich inzwischen geändert. Sehen Sie nach und bestätigen Sie noch einmal.',
}

const signIn: Readonly<Record<Exclude<RefusalParams['sign-in-required']['way'], 'provider'>, string>> = {
  link: 'Öffnen Sie den Link, den der Server im Terminal ausgibt; danach geht es hier weiter.',
  token: 'Der Schlüssel fehlt, stimmt nicht oder gilt nicht mehr.',
  unknown: 'Es ist nicht bekannt, wer Sie sind.',
}

const whoHasTooMany: Readonly<Record<RefusalParams['too-many-asks']['of'], string>> = {
  session: 'In diesem Gespräch',
  server: 'Von diesem Server',
  caller: 'Von dem, der das aufgerufen hat,',
  desk: 'Hier',
}

const cannotDelegate: Readonly<Record<RefusalParams['cannot-delegate']['why'], string>> = {
  self: 'Das ist schon Ihre Frage.',
  requester: 'Diese Person hat das selbst veranlasst: andere müssen zustimmen.',
  personal: 'Hier geht es darum, wer Sie sind: das kann niemand sonst beantworten.',
  unseen: 'Unter diesem Namen war hier noch niemand. Heißt die Person hier so?',
  returned: 'Diese Person hat es selbst weitergegeben.',
  quorum: 'Dann wären es weniger, als zustimmen müssen.',
  'too-often': 'Das wurde zu oft weitergegeben. Beantworten Sie es, oder lehnen Sie es ab.',
}

const awayInvalid: Readonly<Record<RefusalParams['away-invalid']['why'], string>> = {
  self: 'Nennen Sie jemand anderen, der Sie vertritt.',
  times: 'Das Ende muss nach dem Anfang liegen, in der Zukunft, und höchstens ein Jahr entfernt.',
  unseen: cannotDelegate.unseen,
}

/** Why a desk refused something, in German. */
export const refusals: Sentences<RejectionParams> = {
  'request-invalid': ({ detail }) => `Diese Anfrage ist ungültig: ${detail}`,
  'action-invalid': ({ field }) => `Das lässt sich so nicht senden (${field}).`,
  'not-allowed': 'Das geht von hier aus nicht.',
  'origin-not-allowed': 'Anfragen von dort werden nicht beantwortet.',
  'read-only': 'Sie dürfen das ansehen, aber weder ändern noch beantworten.',
  'auditors-only': 'Das dürfen nur Prüfer.',
  'name-reserved': ({ prefix }) => `Namen, die mit „${prefix}“ beginnen, sind für Aufrufe.`,
  'person-unknown': 'Dafür muss bekannt sein, wer Sie sind.',
  'group-left': 'Sie sind in keiner Gruppe mehr, die das gefragt wird.',
  'own-request': 'Sie haben das selbst veranlasst: andere müssen zustimmen.',
  'sign-in-required': ({ way, host }) => (way === 'provider' ? `Melden Sie sich bei ${host} an.` : signIn[way]),
  'session-not-found': 'Dieses Gespräch gibt es nicht mehr.',
  'session-exists': 'Ein Gespräch mit diesem Namen gibt es schon.',
  'not-found': 'Hier ist nichts.',
  'ask-not-found': 'Diese Frage ist nicht mehr offen.',
  'ask-ended': ({ rule, by = rule && `die Regel „${rule}“` }) =>
    by === undefined ? 'Diese Frage ist nicht mehr offen.' : `Das hat ${by} schon beantwortet.`,
  'ask-expired': 'Die Zeit für eine Antwort ist um.',
  'passkey-required': 'Dem stimmen Sie mit Ihrem Passkey zu, nicht mit einem Klick.',
  'passkey-missing': 'Sie haben hier noch keinen Passkey.',
  'passkey-invalid': ({ why }) => passkeyInvalid[why],
  'too-many-passkeys': 'Sie können jetzt keinen weiteren Passkey anlegen.',
  'question-not-found': 'Diese Frage wurde inzwischen anders gestellt.',
  'answer-required': ({ title }) => after(title, sentenceOf(fieldProblems, { code: 'required' })),
  'answer-invalid': ({ title, problem }) =>
    after(title, (problem && sentenceOf(fieldProblems, problem)) ?? 'So lässt sich das nicht beantworten.'),
  'answers-incomplete': ({ title }) =>
    `Mehrere müssen denselben Antworten zustimmen, also senden Sie alle: „${title}“ fehlt.`,
  'rule-invalid': ({ detail }) => `Diese Regel ist ungültig: ${detail}`,
  'rule-exists': ({ id }) => `Eine Regel „${id}“ gibt es schon.`,
  'too-many-rules': ({ max }) => `Es gibt schon ${max} Regeln. Löschen Sie zuerst einige.`,
  'reason-too-long': ({ max }) => `Eine Begründung hat höchstens ${max} Zeichen.`,
  'comment-too-long': ({ max }) => `Ein Kommentar hat höchstens ${max} Zeichen.`,
  'too-many-comments': ({ max }) => `Hier stehen schon ${max} Kommentare, mehr gehen nicht.`,
  'cannot-delegate': ({ why }) => cannotDelegate[why],
  'away-invalid': ({ why }) => awayInvalid[why],
  'turn-in-progress': 'Ein anderer Schritt ist noch im Gang.',
  'turn-not-active': 'Dieser Schritt ist nicht im Gang.',
  'turn-exists': 'Diesen Schritt gibt es schon.',
  'turn-not-found': 'Diesen Schritt gibt es nicht.',
  conflict: 'Unter diesem Namen wird schon etwas anderes gefragt.',
  'method-not-allowed': ({ allow }) => `Hier geht nur ${allow}.`,
  'too-large': () => 'Das ist mehr, als gespeichert wird. Senden Sie weniger.',
  'ask-too-large': ({ maxBytes }) => `Eine Frage hat höchstens ${maxBytes} Bytes.`,
  'not-json': 'Hier wird application/json erwartet.',
  'too-many': 'Zu viel auf einmal. Warten Sie einen Moment und senden Sie es noch einmal.',
  'too-many-attempts': ({ seconds }) => `Zu viele falsche Schlüssel. Versuchen Sie es in ${seconds} s noch einmal.`,
  'too-many-feeds': 'Sie sehen zu oft gleichzeitig zu. Schließen Sie zuerst etwas anderes.',
  'too-many-sessions': ({ max }) => `Sie haben schon ${max} Gespräche angelegt. Beenden Sie zuerst einige.`,
  'too-many-asks': ({ of, max }) =>
    `${whoHasTooMany[of]} sind ${max} Fragen offen. Erst müssen einige beantwortet sein.`,
  'session-full': () => 'In diesem Gespräch ist zu viel offen. Erst muss etwas beantwortet sein.',
  unavailable: 'Das konnte nicht gespeichert werden. Senden Sie es noch einmal.',
  recorded: ({ count, of }) => `Ihre Antwort ist vermerkt: ${count} von ${of} haben zugestimmt.`,
}

function after(title: string | undefined, sentence: string): string {
  return title === undefined ? sentence : `${title}: ${sentence}`
}
