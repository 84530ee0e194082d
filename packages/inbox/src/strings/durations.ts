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

const formatters = new Map<string, Intl.NumberFormat>()

/** A length of time in one unit, rounded down: "5 min". */
export function duration(ms: number, tag: string): string {
  const [unit, size] = units.find(([, size]) => ms >= size) ?? ['second', second]
  const key = `${tag} ${unit}`
  const known = formatters.get(key) ?? new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'short' })
  formatters.set(key, known)
  return known.format(Math.max(0, Math.floor(ms / size)))
}

/** When something was, as someone would say it: "5 min. ago", or the day. */
export function ago(at: number, now: number, tag: string): string {
  const ms = Math.max(0, now - at)
  if (ms >= 7 * day) return new Intl.DateTimeFormat(tag, { dateStyle: 'medium' }).format(at)
  const [unit, size] = units.find(([, size]) => ms >= size) ?? ['second', second]
  const format = new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'short' })
  return format.format(unit === 'second' ? 0 : -Math.floor(ms / size), unit)
}

/** A moment in full. */
export function moment(at: number, tag: string): string {
  return new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'medium' }).format(at)
}
