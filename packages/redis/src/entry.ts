// What a Redis string holds for a key: its version, which has a fixed length, and then the JSON of its value. A script
// compares versions without reading the value.
import { randomBytes } from 'node:crypto'
import type { Entry, JsonValue, Version } from 'beckon/store'
import { encodeJson } from 'beckon/store/adapter'

/** How many characters a version has. */
export const versionLength = 22

const versionPattern = /^[\w-]{22}$/

/** A version that no key ever had. */
export function createVersion(): string {
  return randomBytes(16).toString('base64url')
}

/** Whether this can be the version of anything here. */
export function isVersion(version: Version): version is string {
  return typeof version === 'string' && versionPattern.test(version)
}

/** @throws TypeError for a value that has no JSON. */
export function encodeEntry(version: string, value: JsonValue): string {
  return version + encodeJson(value)
}

export function decodeEntry(text: string): Entry {
  return { value: JSON.parse(text.slice(versionLength)), version: text.slice(0, versionLength) }
}
