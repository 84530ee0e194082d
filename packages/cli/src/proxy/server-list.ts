import { readFileSync } from 'node:fs'
import { isRecord } from '@beckon/core/json-rpc'
import { usageError } from '../cli-error.js'
import type { TransportOptions } from '../connect/connect.js'
import { commandTarget, type Target, targetOf } from '../connect/target.js'
import { isServerName } from './merged.js'

/** A server of a file, as hosts have it in their configuration. */
export interface ListedServer extends Pick<TransportOptions, 'headers' | 'env'> {
  readonly target: Target
}

type Fields = Readonly<Record<string, unknown>>

const maxServers = 50

/**
 * Reads a file with `mcpServers`: by name, a command with its arguments and environment, or a url with its headers.
 * @throws CliError that says what is wrong with it
 */
export function serversIn(path: string): ReadonlyMap<string, ListedServer> {
  const { mcpServers } = parsed(path)
  if (!isRecord(mcpServers)) throw wrong(path, 'It has no "mcpServers".')
  const servers = Object.entries(mcpServers)
  if (servers.length === 0 || servers.length > maxServers) throw wrong(path, `It names 1 to ${maxServers} servers.`)
  return new Map(servers.map(([name, server]) => [name, serverFrom(path, name, server)]))
}

function serverFrom(path: string, name: string, server: unknown): ListedServer {
  if (!isServerName(name))
    throw wrong(path, `A name has letters, digits, ".", "-" and "_", and never "__": ${JSON.stringify(name)}.`)
  const { command, args = [], env = {}, url, headers = {} } = isRecord(server) ? server : {}
  if (typeof url === 'string' && command === undefined && isTexts(headers) && /^https?:/i.test(url))
    return { target: targetOf(url), headers }
  const isCommand = typeof command === 'string' && command !== '' && url === undefined
  if (isCommand && isTexts(env) && Array.isArray(args) && args.every(word => typeof word === 'string'))
    return { target: commandTarget([command, ...args]), env }
  throw wrong(path, `"${name}" has a command, with args and env perhaps, or a url, with headers perhaps.`)
}

function parsed(path: string): Fields {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isRecord(value) ? value : {}
  } catch (error) {
    throw wrong(path, error instanceof Error ? error.message : String(error))
  }
}

function wrong(path: string, why: string) {
  return usageError(`The servers in ${path} cannot be used. ${why}`)
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every(text => typeof text === 'string')
}
