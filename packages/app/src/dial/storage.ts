import { isRecord, type RequestId } from '@beckon/core/json-rpc'
import type { Credentials } from '../session/session.js'

/** Where the credentials of a session are kept. They let anyone who has them act as this app. */
export interface CredentialStorage {
  load(): Credentials | undefined
  /** Forgets them without any. */
  save(credentials: Credentials | undefined): void
}

/** Texts by key, as a browser keeps them. */
export interface TextStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** For as long as the program runs. */
export function memoryStorage(): CredentialStorage {
  let kept: Credentials | undefined
  return {
    load: () => kept,
    save(credentials) {
      kept = credentials
    },
  }
}

/**
 * In a browser's storage. That of the tab (`sessionStorage`) survives a reload and keeps tabs apart.
 *
 * @param find finds the storage; it may throw, as browsers do where storage is turned off
 */
export function textStorage(find: () => TextStorage, key: string): CredentialStorage {
  const instead = memoryStorage()
  return {
    load() {
      try {
        return readCredentials(JSON.parse(find().getItem(key) ?? 'null'))
      } catch {
        return instead.load()
      }
    },
    save(credentials) {
      try {
        if (credentials === undefined) find().removeItem(key)
        else find().setItem(key, JSON.stringify(credentials))
      } catch {
        instead.save(credentials)
      }
    },
  }
}

function readCredentials(value: unknown): Credentials | undefined {
  if (!isRecord(value)) return undefined
  const { sessionId, resumeToken, unanswered } = value
  if (typeof sessionId !== 'string' || typeof resumeToken !== 'string') return undefined
  if (!Array.isArray(unanswered) || !unanswered.every(isRequestId)) return { sessionId, resumeToken }
  return { sessionId, resumeToken, unanswered }
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number'
}
