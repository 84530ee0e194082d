import type { TextFormat } from './form.js'

// The four string formats that the protocol names, as JSON Schema validators read them: e-mail by RFC 5321 without
// quoted local parts and address literals, URI by RFC 3986, dates and times by RFC 3339.

const atom = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?'
// RFC 3696 gives an address 320 characters; without a bound a long one could keep the expression busy.
const emailLength = 320
const email = new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}$`, 'i')

// RFC 3986, appendix A. `authority` is checked apart, since its host has a grammar of its own.
const escaped = '%[0-9a-f]{2}'
const pchar = `(?:[\\w.~!$&'()*+,;=:@-]|${escaped})`
const uri = new RegExp(
  `^[a-z][a-z0-9+.-]*:(?:\\/\\/([^/?#]*)(?:\\/${pchar}*)*|\\/(?:${pchar}+(?:\\/${pchar}*)*)?|${pchar}+(?:\\/${pchar}*)*)` +
    `(?:\\?(?:${pchar}|[/?])*)?(?:#(?:${pchar}|[/?])*)?$`,
  'i',
)
const authority = new RegExp(
  `^(?:(?:[\\w.~!$&'()*+,;=:-]|${escaped})*@)?(?:\\[([^\\]]*)\\]|(?:[\\w.~!$&'()*+,;=-]|${escaped})*)(?::\\d*)?$`,
  'i',
)
const futureAddress = /^v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+$/i
/** An IPv4 address at the end of an IPv6 one, which stands for two groups. */
const quadTail = /(?<=:)(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/

const fullDate = /^(\d{4})-(\d\d)-(\d\d)$/
const fullTime = /^(\d\d):(\d\d):(\d\d(?:\.\d+)?)(?:z|([+-]\d\d)(?::?(\d\d))?)$/i
const dayMinutes = 24 * 60

const tests: Record<TextFormat, (text: string) => boolean> = {
  email: text => text.length <= emailLength && email.test(text),
  uri: isUri,
  date: isDate,
  'date-time': isDateTime,
}

/** Whether a format is one that the protocol names. */
export function isTextFormat(format: unknown): format is TextFormat {
  return typeof format === 'string' && Object.hasOwn(tests, format)
}

/** Whether a text is in a format. */
export function hasFormat(text: string, format: TextFormat): boolean {
  return tests[format](text)
}

function isUri(text: string): boolean {
  const host = uri.exec(text)
  if (host === null) return false
  if (host[1] === undefined) return true
  const parts = authority.exec(host[1])
  if (parts === null) return false
  const literal = parts[1]
  return literal === undefined || futureAddress.test(literal) || isIpv6(literal)
}

function isIpv6(text: string): boolean {
  const halves = text.replace(quadTail, '0:0').split('::')
  const groups = halves.flatMap(half => (half === '' ? [] : half.split(':')))
  if (!groups.every(group => /^[0-9a-f]{1,4}$/i.test(group))) return false
  return halves.length === 2 ? groups.length < 8 : halves.length === 1 && groups.length === 8
}

function isDate(text: string): boolean {
  const parts = fullDate.exec(text)
  if (parts === null) return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
  return month >= 1 && month <= 12 && day >= 1 && day <= days
}

function isDateTime(text: string): boolean {
  const [date, time, ...rest] = text.split(/[t\s]/i)
  return date !== undefined && time !== undefined && rest.length === 0 && isDate(date) && isTime(time)
}

function isTime(text: string): boolean {
  const parts = fullTime.exec(text)
  if (parts === null) return false
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const [offsetHour, offsetMinute] = [Number(parts[4] ?? 0), Number(parts[5] ?? 0)]
  if (hour > 23 || minute > 59 || Math.abs(offsetHour) > 23 || offsetMinute > 59) return false
  if (second < 60) return true
  // A leap second is the last one of a day in UTC.
  const offset = offsetHour * 60 + (parts[4]?.startsWith('-') ? -offsetMinute : offsetMinute)
  const utc = (hour * 60 + minute - offset + 2 * dayMinutes) % dayMinutes
  return second < 61 && utc === dayMinutes - 1
}
