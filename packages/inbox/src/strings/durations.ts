const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const units = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
  ['second', second],
] as const

const lengths = new Map<string, Intl.NumberFormat>()
const distances = new Map<string, Intl.RelativeTimeFormat>()

/** A length of time in one unit, rounded down: "5 min". */
export function duration(ms: number, tag: string): string {
  const [unit, size] = units.find(([, size]) => ms >= size) ?? ['second', second]
  const key = `${tag} ${unit}`
  const format = lengths.get(key) ?? new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'short' })
  lengths.set(key, format)
  return format.format(Math.max(0, Math.floor(ms / size)))
}

/** When something was, as someone would say it: "5 min. ago", or the day. */
export function ago(at: number, now: number, tag: string): string {
  const ms = Math.max(0, now - at)
  if (ms >= 7 * day) return new Intl.DateTimeFormat(tag, { dateStyle: 'medium' }).format(at)
  const [unit, size] = units.find(([, size]) => ms >= size) ?? ['second', second]
  const format = distances.get(tag) ?? new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'short' })
  distances.set(tag, format)
  return format.format(unit === 'second' ? 0 : -Math.floor(ms / size), unit)
}

/** Makes ready to say times in a language: the first one takes as long as a whole list of them. */
export function prepareDurations(tag: string): void {
  for (const [, size] of units) duration(size, tag)
  ago(0, day, tag)
}

/** A moment in full. */
export function moment(at: number, tag: string): string {
  return new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'medium' }).format(at)
}
