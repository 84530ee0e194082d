import { languageName } from './strings.js'

/** What is said around the blocks of an ask. */
export interface BlockWords {
  readonly removed: string
  readonly added: string
  readonly unchanged: (lines: number) => string
  readonly nothingChanged: string
  readonly lineEndsChange: string
  readonly changes: string
  readonly table: string
  readonly code: string
  readonly imageElsewhere: string
  readonly openImage: (host: string) => string
}

const en: BlockWords = {
  removed: 'removed:',
  added: 'added:',
  unchanged: lines => (lines === 1 ? '1 unchanged line' : `${lines} unchanged lines`),
  nothingChanged: 'Nothing changes.',
  lineEndsChange: 'How lines end changes, too.',
  changes: 'What changes',
  table: 'Table',
  code: 'Text',
  imageElsewhere: 'An image on another site. It is not loaded here.',
  openImage: host => `Open the image on ${host}`,
}

const de: BlockWords = {
  removed: 'entfernt:',
  added: 'hinzugefügt:',
  unchanged: lines => (lines === 1 ? '1 unveränderte Zeile' : `${lines} unveränderte Zeilen`),
  nothingChanged: 'Nichts ändert sich.',
  lineEndsChange: 'Auch die Zeilenenden ändern sich.',
  changes: 'Was sich ändert',
  table: 'Tabelle',
  code: 'Text',
  imageElsewhere: 'Ein Bild auf einer anderen Website. Es wird hier nicht geladen.',
  openImage: host => `Bild auf ${host} öffnen`,
}

export function blockWords(tag: string): BlockWords {
  return languageName(tag) === 'de' ? de : en
}
