import { type Form, given } from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import { digest, shortDigest } from '../crypto/digest.js'
import type { Ask } from './ask.js'
import type { AskMark } from './journal.js'

/** What tells the asks, steps and ids of a run apart: what they are, and how often they were there before. */
export class Marks {
  // A short list, and made anew by `concat`: a map, or a list with room to grow, would be more for a suspended call to keep.
  #asked: readonly string[] = []
  /** How often each step, key and id was there before; made when there is one. */
  #seen: Map<string, number> | undefined

  /** How many asks were made. */
  get asks(): number {
    return this.#asked.length
  }

  copy(): Marks {
    const copy = new Marks()
    copy.#asked = this.#asked
    copy.#seen = this.#seen && new Map(this.#seen)
    return copy
  }

  markOf(ask: Ask, key: string | undefined): AskMark {
    const seen = digestOf(ask)
    let nth = 0
    if (key !== undefined) nth = this.count(`key ${key}`)
    else for (const other of this.#asked) if (other === seen) nth++
    const mark = { digest: seen, nth, position: this.#asked.length }
    this.#asked = this.#asked.concat(seen)
    return key === undefined ? mark : { key, ...mark }
  }

  /** The name of an ask on the wire. A key that was there before gets a number: the first that makes it a name of its own. */
  idOf({ key, position, digest }: AskMark): string {
    if (key === undefined) return `ask-${position + 1}-${digest.slice(0, 6)}`
    for (;;) {
      const before = this.count(`name ${key}`)
      if (before === 0) return key
      const numbered = `${key}-${before + 1}`
      if (this.count(`name ${numbered}`) === 0) return numbered
    }
  }

  /** How often something was there before. */
  count(what: string): number {
    this.#seen ??= new Map()
    const before = this.#seen.get(what) ?? 0
    this.#seen.set(what, before + 1)
    return before
  }
}

/** What is known of a form: its digest, and that of the last ask with it. */
interface KnownForm {
  readonly digest: string
  /** Of an ask with these words and nothing beside them. */
  last?: { readonly message: string; readonly digest: string }
}

/** The form of a schema is one and the same object for every call, and so are its words as a rule. */
const forms = new WeakMap<Form, KnownForm>()

/** Of what the person sees. */
function digestOf(ask: Ask): string {
  if (ask.kind === 'url') {
    const { policy, person, asker } = ask
    return shortDigest(withTerms(withBlocks([ask.kind, ask.message, ask.url], ask), { policy, person, asker }))
  }
  if (ask.kind !== 'form') return shortDigest(ask)
  const { form, message, policy, show, widget, person, asker } = ask
  const known = forms.get(form) ?? remember(form)
  const words = [ask.kind, message, known.digest]
  // The same words to others, on other terms or beside something else are another question.
  if (policy ?? show ?? widget ?? person ?? asker) {
    const whole = withBlocks(policy === undefined ? words : [...words, policy], ask)
    return shortDigest(withTerms(whole, { widget, person, asker }))
  }
  if (known.last?.message !== message) known.last = { message, digest: shortDigest(words) }
  return known.last.digest
}

function remember(form: Form): KnownForm {
  const known = { digest: digest(form) }
  forms.set(form, known)
  return known
}

/** The same words on other terms are another ask. */
function withTerms(words: readonly unknown[], terms: Record<string, unknown>): readonly unknown[] {
  const known = given(terms)
  return Object.keys(known).length === 0 ? words : [...words, known]
}

/** The same words beside something else are another ask. */
function withBlocks(words: readonly unknown[], { show }: { readonly show?: readonly Block[] }): readonly unknown[] {
  return show === undefined ? words : [...words, { show }]
}
