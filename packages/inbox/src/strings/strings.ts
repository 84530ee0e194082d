// English is there at once, since every language falls back to it; the others are loaded for those who want them.
import { en, type Strings } from './en.js'

type Known = Readonly<Record<string, Strings>>

const loaded: Record<string, Strings> = { en }
const loaders: Readonly<Record<string, () => Promise<Strings>>> = {
  de: async () => (await import('./de.js')).de,
}

/** A language of the inbox, and the tag that numbers and times are written by. */
export interface Language {
  readonly tag: string
  readonly strings: Strings
}

/** The first wanted language that is there, else English. */
export function languageFor(wanted: readonly string[], known: Known = loaded): Language {
  for (const tag of wanted) {
    const strings = known[languageName(tag)]
    if (strings !== undefined) return { tag, strings }
  }
  return { tag: 'en', strings: en }
}

/** Whether the inbox speaks a language. */
export function hasLanguage(tag: string): boolean {
  const name = languageName(tag)
  return Object.hasOwn(loaded, name) || Object.hasOwn(loaders, name)
}

/** Loads the first wanted language that the inbox has; undefined when it is there already. */
export function loadLanguage(wanted: readonly string[]): Promise<void> | undefined {
  const name = languageName(wanted.find(hasLanguage) ?? 'en')
  const load = loaders[name]
  if (load === undefined || Object.hasOwn(loaded, name)) return undefined
  // Without a connection to load it by, English it stays.
  return load().then(
    strings => void Object.assign(loaded, { [name]: strings }),
    () => {},
  )
}

/** The languages that are wanted of an element: its own `lang` or that of what it is in, then what the person prefers. */
export function wantedBy(element: Element): readonly string[] {
  const lang = langOf(element)
  return [...(lang ? [lang] : []), ...navigator.languages]
}

/** Also across the borders of elements that elements are made of. */
function langOf(element: Element): string | undefined {
  const found = element.closest<HTMLElement>('[lang]:not([lang=""])')
  if (found !== null) return found.lang
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? langOf(root.host) : undefined
}

/** The name of a language in a tag, without its country. */
export function languageName(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? ''
}
