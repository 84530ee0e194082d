import { de } from './de.js'
import { en, type Strings } from './en.js'

const languages: Readonly<Record<string, Strings>> = { en, de }

/** A language of the inbox, and the tag that numbers and times are written by. */
export interface Language {
  readonly tag: string
  readonly strings: Strings
}

/** The first wanted language that the inbox has, else English. */
export function languageFor(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const strings = languages[tag.toLowerCase().split('-')[0] ?? '']
    if (strings !== undefined) return { tag, strings }
  }
  return { tag: 'en', strings: en }
}

/** The language of an element: its own `lang` or that of what it is in, else what the person prefers. */
export function languageOf(element: HTMLElement): Language {
  const lang = langOf(element)
  return languageFor([...(lang ? [lang] : []), ...navigator.languages])
}

/** Also across the borders of elements that elements are made of. */
function langOf(element: Element): string | undefined {
  const found = element.closest<HTMLElement>('[lang]:not([lang=""])')
  if (found !== null) return found.lang
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? langOf(root.host) : undefined
}
