// How someone wants to be told: kept on the desk, for all their devices.
import { isRecord } from '@beckon/core/json-rpc'
import type { ChannelSettings, NotifyChannel } from './channel.js'
import { isTimeZone, type QuietHours, quietHoursProblem } from './quiet-hours.js'

export interface NotifySettings {
  /** By the name of the channel; a channel that is not here is as it is by default. */
  readonly channels: Readonly<Record<string, ChannelSettings>>
  readonly quiet?: QuietHours
  readonly language?: string
  readonly timeZone?: string
}

const dayMs = 24 * 60 * 60 * 1000
const fields = ['channels', 'quiet', 'language', 'timeZone']

export function settingsFor(channel: NotifyChannel, settings: NotifySettings | undefined): ChannelSettings {
  const { channels = {} } = settings ?? {}
  const own = Object.hasOwn(channels, channel.name) ? channels[channel.name] : undefined
  const known = own ?? { isOn: true, delayMs: 0, digestMs: 0, ...channel.defaults }
  return channel.sendDigest === undefined ? { ...known, digestMs: 0 } : known
}

/** Settings as someone sent them, or what is wrong with them, in a sentence. */
export function readSettings(body: unknown, known: readonly NotifyChannel[]): NotifySettings | string {
  if (!isRecord(body) || !Object.keys(body).every(name => fields.includes(name)))
    return `The body is an object with ${fields.join(', ')}.`
  const { channels = {}, quiet, language, timeZone } = body
  if (!isRecord(channels)) return '"channels" has an object for each channel, by its name.'
  for (const [name, settings] of Object.entries(channels)) {
    if (!known.some(channel => channel.name === name)) return `There is no channel "${name.slice(0, 40)}".`
    if (!isChannelSettings(settings))
      return `"${name}" has "isOn": true or false, "delayMs" and "digestMs": from 0 to ${dayMs}.`
  }
  if (quiet !== undefined && !isQuietHours(quiet)) return '"quiet" has "from", "to" and "timeZone": texts.'
  const problem = quiet && quietHoursProblem(quiet)
  if (problem !== undefined) return problem
  if (language !== undefined && (typeof language !== 'string' || !/^[A-Za-z-]{2,35}$/.test(language)))
    return '"language" is a tag such as "de".'
  if (timeZone !== undefined && (typeof timeZone !== 'string' || timeZone.length > 64 || !isTimeZone(timeZone)))
    return '"timeZone" is a name such as "Europe/Berlin".'
  return {
    channels: Object.fromEntries(Object.entries(channels).filter(isOfChannel)),
    ...(quiet !== undefined && { quiet: { from: quiet.from, to: quiet.to, timeZone: quiet.timeZone } }),
    ...(language !== undefined && { language }),
    ...(timeZone !== undefined && { timeZone }),
  }
}

function isOfChannel(entry: [string, unknown]): entry is [string, ChannelSettings] {
  return isChannelSettings(entry[1])
}

function isChannelSettings(value: unknown): value is ChannelSettings {
  if (!isRecord(value)) return false
  const { isOn, delayMs, digestMs, ...others } = value
  return typeof isOn === 'boolean' && isSpan(delayMs) && isSpan(digestMs) && Object.keys(others).length === 0
}

function isSpan(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= dayMs
}

function isQuietHours(value: unknown): value is QuietHours {
  if (!isRecord(value)) return false
  return [value.from, value.to, value.timeZone].every(text => typeof text === 'string' && text.length <= 64)
}
