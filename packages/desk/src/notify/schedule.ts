import type { ChannelSettings } from './channel.js'
import { afterQuiet, type QuietHours } from './quiet-hours.js'

/** When someone is told of what began at `since`: not before its delay, with the next digest, and not in quiet hours. */
export function tellAt(
  { since, now }: { readonly since: number; readonly now: number },
  { delayMs, digestMs }: ChannelSettings,
  quiet: QuietHours | undefined,
): number {
  const earliest = Math.max(now, since + delayMs)
  const together = digestMs === 0 ? earliest : Math.ceil(earliest / digestMs) * digestMs
  return afterQuiet(together, quiet)
}
