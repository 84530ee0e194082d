/** A moment as a control for date and time has it, in this device's time; empty when it is none. */
export function localFrom(dateTime: string): string {
  const at = new Date(dateTime)
  // Some parts of a date are a date to JavaScript.
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/i.test(dateTime) || Number.isNaN(at.getTime())) return ''
  const [year, month, day] = [at.getFullYear(), at.getMonth() + 1, at.getDate()]
  const date = [String(year).padStart(4, '0'), two(month), two(day)].join('-')
  const seconds = at.getSeconds() === 0 ? '' : `:${two(at.getSeconds())}`
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}${seconds}`
}

/** The moment that a control's date and time is, with the difference to UTC that this device has then. */
export function dateTimeFrom(local: string): string {
  const at = new Date(local)
  if (Number.isNaN(at.getTime())) return local
  const offset = -at.getTimezoneOffset()
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
  const full = /T\d\d:\d\d$/.test(local) ? `${local}:00` : local
  return `${full}${zone}`
}

function two(part: number): string {
  return String(part).padStart(2, '0')
}
