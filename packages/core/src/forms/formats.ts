import type { TextFormat } from './form.js'

// The four string formats that the protocol names, as JSON Schema validators read them: e-mail by RFC 5321 without
// quoted local parts and address literals, URI by RFC 3986 without addresses of a future IP, dates and times by RFC 3339.

const atom = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?'
// RFC 3696 gives an address 320 characters; without a bound a long one could keep the expression busy.
const emailLength = 320
const email = new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}$`, 'i')

// RFC 3986, appendix A. `authority` is checked apart, since its host has a grammar of its own.
const plain = "-\\w.~!$&'()*+,;="
const escaped = '%[0-9a-f]{2}'
const pchar = `(?:[${plain}:@]|${escaped})`
const rest = `(?:${pchar}|[/?])*`
const uri = new RegExp(
  `^[a-z][a-z0-9+.-]*:(?:\\/\\/([^/?#]*)(?:\\/${pchar}*)*|\\/|\\/?${pchar}+(?:\\/${pchar}*)*)(?:\\?${rest})?(?:#${rest})?$`,
  'i',
)
const authority = new RegExp(
  `^(?:(?:[${plain}:]|${escaped})*@)?(?:\\[([\\da-f:.]*)\\]|(?:[${plain}]|${escaped})*)(?::\\d*)?$`,
  'i',
)
/** An IPv4 address at the end of an IPv6 one, which stands for two groups. */
const quadTail = /(?<=:)(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/

const fullTime = /^([01]\d|2[0-3]):([0-5]\d):(?:[0-5]\d|(60))(?:\.\d+)?(?:z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/i
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
  const parts = uri.exec(text)
  const host = parts && authority.exec(parts[1] ?? '')
  if (!host) return false
  const ipv6 = host[1]
  return ipv6 === undefined || URL.canParse(`http://[${ipv6.replace(quadTail, '0:0')}]`)
}

/** A day that its month does not have comes back as another day, or as none. */
function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && `${new Date(text).toJSON()}`.startsWith(text)
}

function isDateTime(text: string): boolean {
  const [date = '', time = '', ...others] = text.split(/[t\s]/i)
  return others.length === 0 && isDate(date) && isTime(time)
}

function isTime(text: string): boolean {
  const parts = fullTime.exec(text)
  if (parts === null) return false
  const [, hour, minute, leap, sign, offsetHour = 0, offsetMinute = 0] = parts
  if (leap === undefined) return true
  // A leap second is the last one of a day in UTC.
  const offset = Number(offsetHour) * 60 + Number(offsetMinute)
  const local = Number(hour) * 60 + Number(minute)
  return (local + (sign === '-' ? offset : -offset) + dayMinutes) % dayMinutes === dayMinutes - 1
}
