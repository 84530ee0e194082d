// One line of JSON for each thing that is worth saying, on standard error. Never what a person answered, never a secret: of an error
// its message and its kind, and of addresses no password.
import { plainText } from '../plain-text.js'

const levels = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof levels)[number]

/** Names, counts and addresses; no values that people gave. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

export type Logger = Readonly<Record<Level, (message: string, fields?: LogFields) => void>>

export interface LoggerOptions {
  readonly level: Level
  readonly write?: ((line: string) => void) | undefined
  readonly now?: (() => number) | undefined
}

export function createLogger({
  level,
  write = line => process.stderr.write(line),
  now = Date.now,
}: LoggerOptions): Logger {
  const log =
    (at: Level) =>
    (message: string, fields: LogFields = {}) => {
      if (levels.indexOf(at) < levels.indexOf(level)) return
      write(
        `${JSON.stringify({ time: new Date(now()).toISOString(), level: at, message: withoutPasswords(message), ...fields })}\n`,
      )
    }
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
}

/** An error as fields. */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: withoutPasswords(plainText(String(error))) }
  const { name, message, cause } = error
  return {
    error: withoutPasswords(message),
    kind: name,
    ...('code' in error && { code: String(error.code) }),
    ...(cause instanceof Error && { cause: withoutPasswords(cause.message) }),
  }
}

/** A text with addresses, without what stands before their hosts. */
export function withoutPasswords(text: string): string {
  // A password may have an @ or a slash in it: all goes that stands before the last @ of a word.
  return text.replace(/\/\/[^\s]*@/g, '//').replace(/([?&]password=)[^&\s]*/gi, '$1...')
}
