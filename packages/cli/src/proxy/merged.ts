import { isRecord } from '@beckon/core/json-rpc'
import { type Fields, fields } from '../fields.js'

/** Between the name of a server and that of what it has. No server has it in its name, so that every name is of one server. */
const separator = '__'

/** What something of a server is called among those of several. */
export function named(server: string, name: string): string {
  return `${server}${separator}${name}`
}

/** The server that a name is of, and what that one calls it. */
export function ownName(value: unknown): { readonly server: string; readonly name: string } {
  const [server = '', ...rest] = String(value).split(separator)
  return { server, name: rest.join(separator) }
}

/** Whether a server may be called so. */
export function isServerName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(name) && !name.includes(separator) && !name.endsWith('_')
}

/** What some server can do, all of them can together. */
export function mergedCapabilities(all: readonly Fields[]): Record<string, unknown> {
  const merged: Record<string, unknown> = {}
  for (const capabilities of all)
    for (const [name, value] of Object.entries(capabilities))
      merged[name] =
        isRecord(merged[name]) && isRecord(value) ? mergedCapabilities([fields(merged[name]), fields(value)]) : value
  return merged
}

/** Whether an address begins and ends as a template does; what is between is for the server to judge. */
export function between(template: string, uri: string): boolean {
  const prefix = template.slice(0, template.indexOf('{'))
  const suffix = template.slice(template.lastIndexOf('}') + 1)
  return uri.length >= prefix.length + suffix.length && uri.startsWith(prefix) && uri.endsWith(suffix)
}
