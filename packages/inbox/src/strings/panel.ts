import { panelDe } from './panel-de.js'
import { type PanelStrings, panelEn } from './panel-en.js'
import { languageName } from './strings.js'

/** The texts of what is opened now and then, in the language that the inbox is in. */
export function panelStrings(tag: string): PanelStrings {
  return languageName(tag) === 'de' ? panelDe : panelEn
}
