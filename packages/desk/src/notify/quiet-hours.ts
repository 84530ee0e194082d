/** Hours of every day in which someone is told nothing. */
export interface QuietHours {
  /** `22:00` */
  readonly from: string
  /** `07:00`; before `from`, it is that of the next day. */
  readonly to: string
  /** As the IANA has it: `Europe/Berlin`. */
  readonly timeZone: string
}

const minuteMs = 60_000
const dayMinutes = 24 * 60

/** The first moment from `at` on that is not quiet. */
export function afterQuiet(at: number, quiet: QuietHours | undefined): number {
  if (quiet === undefined || !isQuiet(at, quiet)) return at
  const to = minutesOf(quiet.to) ?? 0
  const left = (to - localMinutes(at, quiet.timeZone) + dayMinutes) % dayMinutes
  const guess = Math.floor(at / minuteMs) * minuteMs + left * minuteMs
  // Where clocks are changed in between, the guess is off by as much.
  const off = to - localMinutes(guess, quiet.timeZone)
  return guess + (off > dayMinutes / 2 ? off - dayMinutes : off < -dayMinutes / 2 ? off + dayMinutes : off) * minuteMs
}

/** What is wrong with quiet hours, in a sentence; undefined when nothing is. */
export function quietHoursProblem({ from, to, timeZone }: QuietHours): string | undefined {
  if (minutesOf(from) === undefined || minutesOf(to) === undefined) return '"from" and "to" are times such as "22:00".'
  return isTimeZone(timeZone) ? undefined : '"timeZone" is a name such as "Europe/Berlin".'
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

function isQuiet(at: number, { from, to, timeZone }: QuietHours): boolean {
  const [begin = 0, end = 0, now] = [minutesOf(from), minutesOf(to), localMinutes(at, timeZone)]
  return begin <= end ? now >= begin && now < end : now >= begin || now < end
}

function minutesOf(time: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Minutes since midnight, where someone is. */
function localMinutes(at: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    formats.set(timeZone, format)
  }
  return minutesOf(format.format(at)) ?? 0
}
