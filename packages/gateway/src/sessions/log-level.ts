import type { Context } from 'beckon'

type LogLevel = Parameters<Context['log']>[0]

const levels: Readonly<Record<string, LogLevel>> = {
  debug: 'debug',
  info: 'info',
  notice: 'notice',
  warn: 'warning',
  warning: 'warning',
  error: 'error',
}

/** The level of an application's log message, as MCP has it. */
export function readLogLevel(level: unknown): LogLevel {
  const name = String(level)
  return (Object.hasOwn(levels, name) ? levels[name] : undefined) ?? 'info'
}
