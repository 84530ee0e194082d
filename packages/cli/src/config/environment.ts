// Every value has a variable, by its path: `oidc.clientId` is BECKON_OIDC_CLIENT_ID. A secret can be in the variable, or in a file
// that the variable with _FILE after it names. What is a list or a table is JSON, or for a list words with commas between.
import { configJsonSchema, type JsonSchema } from './json-schema.js'
import { secretMark } from './secret.js'

export type Environment = Readonly<Record<string, string | undefined>>

/** A value of a configuration, with the variable that it can be given by. */
export interface Setting {
  readonly path: readonly string[]
  readonly variable: string
  readonly isSecret: boolean
  readonly schema: JsonSchema
}

/** A setting that the environment gives. */
export interface GivenSetting {
  readonly path: readonly string[]
  readonly variable: string
  readonly value: unknown
}

/** Every value that a variable can give. */
export function settings(schema: JsonSchema = configJsonSchema(), above: readonly string[] = []): readonly Setting[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, part]): readonly Setting[] => {
    if (key === '$schema') return []
    const path = [...above, key]
    if (part.properties !== undefined) return settings(part, path)
    return [{ path, variable: variableOf(path), isSecret: part[secretMark] === true, schema: part }]
  })
}

/** What the environment says. @returns also variables that are close to a setting, and none: they are mistakes */
export function settingsIn(env: Environment): {
  readonly given: readonly GivenSetting[]
  readonly unknown: readonly string[]
} {
  const all = settings()
  const given = all.flatMap(({ path, variable, isSecret, schema }): GivenSetting[] => {
    const [value, file] = [env[variable], isSecret ? env[`${variable}_FILE`] : undefined]
    if (file) return [{ path, variable: `${variable}_FILE`, value: { file } }]
    if (!value) return []
    return [{ path, variable, value: isSecret ? { env: variable } : valueFrom(value, schema) }]
  })
  const sections = [...new Set(all.filter(({ path }) => path.length > 1).map(({ path: [section = ''] }) => section))]
  const known = new Set(
    all.flatMap(({ variable, isSecret }) => (isSecret ? [variable, `${variable}_FILE`] : [variable])),
  )
  const isClose = (name: string) => sections.some(section => name.startsWith(`${variableOf([section])}_`))
  return { given, unknown: Object.keys(env).filter(name => isClose(name) && !known.has(name)) }
}

function variableOf(path: readonly string[]): string {
  return `BECKON_${path.map(key => key.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()).join('_')}`
}

/** What cannot be read as what it should be stays a text: the check says what is wrong with it. */
function valueFrom(text: string, { type }: JsonSchema): unknown {
  if (type === 'string') return text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (type === 'integer' || type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  try {
    return JSON.parse(text)
  } catch {
    return type === 'array' ? text.split(',').map(word => word.trim()) : text
  }
}
