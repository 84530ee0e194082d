import { checkKnown } from '../author/known-options.js'
import type { ListenOptions } from '../http/listen.js'

/** Every option of `listen`, and no other: a record, so that the compiler misses none. */
const known: Record<keyof ListenOptions, true> = {
  port: true,
  host: true,
  isBackground: true,
  around: true,
  upgrade: true,
}

/** @throws TypeError for options that nobody reads: a port under another name would be standard input and output */
export function checkListenOptions(options: Partial<ListenOptions>): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('listen() takes an object, or nothing: listen({ port: 3000 }).')
  checkKnown(options, known, 'listen() has an option')
}

/** Where to listen over HTTP, from the options and the command line (`--http`, `--http=3000`, `--http 3000`); undefined for stdio. */
export function listenOptions(
  { port, host }: { readonly port?: number | undefined; readonly host?: string | undefined },
  argv: readonly string[],
): { port?: number; host?: string } | undefined {
  const flag = argv.findIndex(argument => argument === '--http' || argument.startsWith('--http='))
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65_536))
    throw new TypeError(`\`port\` must be a number from 0 to 65535, not ${JSON.stringify(port)}.`)
  if (port === undefined && host === undefined && flag === -1) return undefined
  const given = argv[flag]?.split('=')[1]
  if (given !== undefined && !/^\d+$/.test(given)) throw new TypeError(`--http takes a port number, not "${given}".`)
  const value = flag === -1 ? undefined : (given ?? argv[flag + 1])
  const wanted = port ?? (value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined)
  return { ...(wanted !== undefined && { port: wanted }), ...(host !== undefined && { host }) }
}
