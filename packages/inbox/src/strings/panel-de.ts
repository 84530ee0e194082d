import type { PanelStrings } from './panel-en.js'

/** The texts of what is opened now and then, in German. */
export const panelDe: PanelStrings = {
  alwaysAllow: 'Das immer erlauben',
  ruleSentence: (tool, server, hasArguments, until) =>
    `Bis ${until} gilt ${tool} von ${server} ${
      hasArguments ? 'mit genau diesen Argumenten' : 'mit beliebigen Argumenten'
    } als von Ihnen erlaubt, ohne dass Sie gefragt werden.`,
  ruleDestructive: 'Dieses Werkzeug kann etwas löschen oder überschreiben, und die Regel sagt, dass es das darf.',
  ruleWhere:
    'Sie zählt, wo Sie mit Namen oder über eine Gruppe gefragt werden; eine Regel für alle, die fragt oder verbietet, geht vor.',
  scope: 'Welche Aufrufe',
  theseArguments: 'Mit genau diesen Argumenten',
  anyArguments: 'Mit beliebigen Argumenten',
  until: 'Wie lange',
  days: days => (days === 1 ? 'Einen Tag' : `${days} Tage`),
  trying: 'Sieht frühere Aufrufe an …',
  tried: (matched, looked) =>
    `Von den ${looked} Aufrufen der letzten sieben Tage, zu denen Sie gefragt wurden, hätte sie ${matched} erlaubt.`,
  make: 'Ab jetzt erlauben und zustimmen',
  making: 'Wird gespeichert …',
  cancel: 'Abbrechen',
  unreachable: 'Keine Verbindung. Nichts wurde geändert.',
  you: 'Sie',
  youAre: name => `Sie sind ${name}`,
  anyone: 'Wer den Link öffnet, gilt hier als dieselbe Person.',
  role: role => ({ admin: 'Verwaltung', auditor: 'Prüfung' })[role] ?? 'Mitglied',
  groups: groups => `In ${groups}`,
  signOut: 'Abmelden',
  cannotSignOut: 'Sie sind anderswo angemeldet und melden sich dort ab.',
  rules: 'Was Sie immer erlauben',
  noRules: 'Nichts. „Das immer erlauben“ bei einer Frage macht eine Regel.',
  ruleOf: (tool, server) => `${tool} von ${server}`,
  ruleUntil: until => `bis ${until}`,
  revoke: 'Aufheben',
  revokeRule: rule => `Aufheben: ${rule}`,
  revoked: 'Aufgehoben: Sie werden wieder gefragt.',
  loading: 'Wird geladen …',
  close: 'Schließen',
}
