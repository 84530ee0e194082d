// An application's manifest: where it listens, and what its claim code is.

import { isAbsolute } from 'node:path'
import { isRecord } from '@beckon/core/json-rpc'
import { isLoopbackSocket } from './loopback.js'

export type AppTransport =
  | { readonly kind: 'ws'; readonly url: string }
  | { readonly kind: 'uds'; readonly path: string }

/** A claim that the application's host made: anyone who knows the code may bind. */
export interface HostMintedClaim {
  readonly code: string
  readonly sessionId: string
  readonly resumeToken: string
  readonly expiresAt: number | undefined
  readonly isBound: boolean
}

export interface Manifest {
  readonly instanceId: string
  readonly appName: string
  readonly addedAt: number
  readonly pid: number | undefined
  readonly transport: AppTransport
  /** Undefined for an application that has its code made by the gateway. */
  readonly claim: HostMintedClaim | undefined
}

/** Reads a manifest. Throws an error that says what is wrong with it. */
export function readManifest(text: string): Manifest {
  const value: unknown = JSON.parse(text)
  if (!isRecord(value)) throw new Error('it is not an object')
  const { version, instanceId, appName, addedAt, pid } = value
  if (version !== 2) throw new Error(`its version is ${JSON.stringify(version)}, and 2 is known`)
  if (!isText(instanceId)) throw new Error('it has no instanceId')
  if (pid !== undefined && !(Number.isSafeInteger(pid) && Number(pid) > 0))
    throw new Error('its pid is not a process id')
  return {
    instanceId,
    appName: isText(appName) ? appName : instanceId,
    addedAt: typeof addedAt === 'number' ? addedAt : 0,
    pid: pid === undefined ? undefined : Number(pid),
    transport: readTransport(value.transport),
    claim: value.helloHandledByHost === true ? readClaim(value.hostMintedClaim) : undefined,
  }
}

function readTransport(value: unknown): AppTransport {
  const { kind, url, path } = isRecord(value) ? value : {}
  if (kind === 'ws' && isText(url)) {
    if (!isLoopbackSocket(url)) throw new Error(`it points at ${url}, which is not a ws: address of this machine`)
    return { kind, url }
  }
  if (kind === 'uds' && isText(path)) {
    if (!isAbsolute(path) || path.includes('\0')) throw new Error('the path of its socket is not absolute')
    return { kind, path }
  }
  throw new Error('it has no known transport')
}

function readClaim(value: unknown): HostMintedClaim | undefined {
  if (!isRecord(value)) return undefined
  const { code, sessionId, resumeToken, expiresAt, boundAgent } = value
  if (!isText(code) || !isText(sessionId) || !isText(resumeToken)) throw new Error('its claim is incomplete')
  return {
    code,
    sessionId,
    resumeToken,
    expiresAt: typeof expiresAt === 'number' ? expiresAt : undefined,
    isBound: boundAgent !== null && boundAgent !== undefined,
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
