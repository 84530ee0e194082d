import { languageName } from './strings.js'

/** What is said around a widget. */
export interface WidgetWords {
  readonly frame: (name: string) => string
  readonly plainForm: string
  readonly failed: string
  readonly unfit: string
  readonly entered: string
  /** Before a page is shown that sends something elsewhere. */
  readonly sends: (host: string) => string
  readonly show: string
}

const en: WidgetWords = {
  frame: name => `Answer here (${name})`,
  plainForm: 'Answer in a plain form instead',
  failed: 'What was to be shown here did not work. Answer in this form instead.',
  unfit: 'The answer does not fit what is asked.',
  entered: 'This is what you would answer. Send it with the button below.',
  sends: host => `What you choose here goes straight to ${host}, before you send your answer.`,
  show: 'Show it',
}

const de: WidgetWords = {
  frame: name => `Hier antworten (${name})`,
  plainForm: 'Stattdessen ein einfaches Formular ausfüllen',
  failed: 'Was hier stehen sollte, ging nicht. Antworte stattdessen in diesem Formular.',
  unfit: 'Die Antwort passt nicht zu dem, was gefragt ist.',
  entered: 'Das wäre deine Antwort. Schick sie mit dem Knopf unten ab.',
  sends: host => `Was du hier auswählst, geht sofort an ${host}, bevor du antwortest.`,
  show: 'Anzeigen',
}

export function widgetWords(tag: string): WidgetWords {
  return languageName(tag) === 'de' ? de : en
}
