import { maxSearchChars } from '@beckon/core/widgets'
import { type Choice, type ChoiceSource, type LabelledChoice, labelled, labelOf } from './choice-schema.js'

type List = readonly (string | Choice)[]

/** What a list had when its labels were written in small letters, and those: it is searched again and again. */
const lowered = new WeakMap<List, { readonly list: List; readonly labels: readonly string[] }>()

/** What is found in a list, or by a function; for a search of nothing, the first ones. */
export async function lookFor(source: ChoiceSource, search: string, max: number): Promise<LabelledChoice[]> {
  const words = search.slice(0, maxSearchChars)
  if (typeof source !== 'function') return bestMatches(source, words, max)
  return (await source(words)).slice(0, max).map(labelled)
}

/**
 * The options that have every word of a search, the best first: those that are it, those that begin with it, those with a word
 * that does, and the rest; otherwise in their own order. Without words, the first ones. It looks at each option once.
 */
export function bestMatches(list: List, search: string, max: number): LabelledChoice[] {
  const wanted = search.trim().toLowerCase()
  if (wanted === '') return list.slice(0, max).map(labelled)
  const words = wanted.split(/\s+/)
  const ranks: number[][] = [[], [], [], []]
  const labels = labelsOf(list)
  for (let index = 0; index < labels.length; index++) {
    const label = `${labels[index]}`
    if (!words.every(word => label.includes(word))) continue
    const rank = ranks[rankOf(label, wanted)]
    if (rank !== undefined && rank.length < max) rank.push(index)
  }
  const best = ranks.flat().slice(0, max)
  return best.flatMap(index => list.slice(index, index + 1)).map(labelled)
}

function rankOf(label: string, wanted: string): number {
  if (label === wanted) return 0
  if (label.startsWith(wanted)) return 1
  return label.includes(` ${wanted}`) ? 2 : 3
}

function labelsOf(list: List): readonly string[] {
  const known = lowered.get(list)
  // A list may have changed since. To compare it costs a tenth of a search.
  if (known?.list.length === list.length && known.list.every((choice, index) => choice === list[index]))
    return known.labels
  const labels = list.map(choice => labelOf(choice).toLowerCase())
  lowered.set(list, { list: [...list], labels })
  return labels
}
