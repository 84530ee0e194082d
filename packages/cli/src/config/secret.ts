import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'

/** Marks, in the JSON Schema, what may be given by a variable or a file of its own. */
export const secretMark = 'x-secret'

/** Where a secret is: never in the configuration itself, which people copy, commit and paste. */
export const secretPlace: z.ZodType<SecretPlace> = z.union(
  [z.strictObject({ file: z.string().min(1) }), z.strictObject({ env: z.string().regex(/^\w+$/) })],
  { error: 'is a secret, and does not belong here: write { "file": "path" } or { "env": "NAME" }, and keep it there' },
)

export type SecretPlace = { readonly file: string } | { readonly env: string }

/** How secrets are read: files relative to the configuration. */
export interface SecretSources {
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A secret from where it is. @throws Error that says what is wrong with that place, and nothing of what is there */
export function readSecret(place: SecretPlace, { folder, env }: SecretSources): string {
  const secret = 'file' in place ? textIn(resolve(folder, place.file)) : env[place.env]
  const name = 'file' in place ? resolve(folder, place.file) : place.env
  if (secret === undefined) throw new Error(`names the variable ${name}, which is not set`)
  // Editors and `echo` end a file with a line break.
  const text = secret.replace(/\r?\n$/, '')
  if (text === '') throw new Error(`names ${name}, which is empty`)
  if (text.includes('\n')) throw new Error(`names ${name}, which has more than one line`)
  return text
}

function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`names ${path}, which cannot be read (${codeOf(error)})`)
  }
}

/** What the system says is wrong with a file. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
