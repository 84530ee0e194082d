// Rows that read the same are told apart by what differs in their calls, else by when they were asked.
import type { AskEntry } from '@beckon/core/asks'
import { firstWords } from '../text/clamp.js'
import { summaryOf, toolOf, whoAsks } from './rows.js'

const maxNames = 3
const maxValueChars = 40
const looks = new WeakMap<AskEntry['request'], string>()

/** What to show beside each of those asks that read the same as another. */
export function distinguish(asks: readonly AskEntry[], tag: string): ReadonlyMap<AskEntry, string> {
  const alike = new Map<string, AskEntry[]>()
  for (const ask of asks) {
    const look = lookOf(ask)
    const group = alike.get(look)
    if (group === undefined) alike.set(look, [ask])
    else group.push(ask)
  }
  const told = new Map<AskEntry, string>()
  for (const group of alike.values()) if (group.length > 1) tellGroup(group, tag, told)
  return told
}

function tellGroup(group: readonly AskEntry[], tag: string, told: Map<AskEntry, string>): void {
  const given = group.map(argumentsOf)
  const names = [...new Set(given.flatMap(one => [...one.keys()]))]
  const differing = names.filter(name => new Set(given.map(one => one.get(name))).size > 1).slice(0, maxNames)
  const texts = given.map(one =>
    differing.flatMap(name => (one.has(name) ? [`${name}: ${firstWords(one.get(name) ?? '', maxValueChars)}`] : [])),
  )
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text.join(', '), (counts.get(text.join(', ')) ?? 0) + 1)
  const time = new Intl.DateTimeFormat(tag, { timeStyle: 'medium' })
  for (const [index, ask] of group.entries()) {
    const text = texts[index]?.join(', ') ?? ''
    const isOne = text !== '' && counts.get(text) === 1
    told.set(ask, isOne ? text : [...(text === '' ? [] : [text]), time.format(ask.askedAt)].join(', '))
  }
}

/** What a row says of an ask. */
function lookOf(ask: AskEntry): string {
  const known = looks.get(ask.request)
  if (known !== undefined) return known
  const look = JSON.stringify([whoAsks(ask), toolOf(ask), summaryOf(ask)])
  looks.set(ask.request, look)
  return look
}

function argumentsOf({ request }: AskEntry): Map<string, string> {
  const given = request._meta?.['beckon/arguments']
  if (typeof given !== 'object' || given === null) return new Map()
  return new Map(
    Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}
