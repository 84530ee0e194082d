import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import type { z } from 'zod'
import { CliError } from '../cli-error.js'
import { exitCodes } from '../exit-codes.js'
import { type Config, configSchema } from './definition.js'
import { type Environment, type GivenSetting, settingsIn } from './environment.js'
import { codeOf } from './secret.js'

/** A configuration that can be used. */
export interface ReadConfig {
  readonly config: Config
  /** What its relative paths are relative to. */
  readonly folder: string
}

/** Ends a command, since its configuration cannot be used. */
export function configError(message: string): CliError {
  return new CliError(message, exitCodes.config)
}

/**
 * Reads a configuration from a file and the environment, of which the latter counts more; from the environment alone without a file.
 * @throws CliError that says what is wrong, where, and what to write instead
 */
export function readConfig(path: string | undefined, env: Environment): ReadConfig {
  const text = path === undefined ? '{}' : textOf(path)
  const folder = path === undefined ? process.cwd() : dirname(resolve(path))
  const where = path ?? 'environment'
  const lineAt = (offset: number) => `${where}:${text.slice(0, offset).split('\n').length}`
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const [broken] = errors
  if (broken !== undefined)
    throw configError(`${lineAt(broken.offset)}: This is not JSON: ${printParseErrorCode(broken.error)}.`)
  if (tree?.type !== 'object') throw configError(`${where}: A configuration is an object: { "publicUrl": ... }.`)
  const { given, unknown } = settingsIn(env)
  const value = withSettings(getNodeValue(tree), given)
  const { data: config, error } = configSchema({ folder, env }).safeParse(value)
  const mistakes = [
    ...unknown.map(name => `${name} is not a setting. \`beckon config variables\` lists them.`),
    ...(error?.issues ?? []).map(issue => {
      const by = given.find(({ path }) => path.every((key, index) => issue.path[index] === key))
      return `${by?.variable ?? (path === undefined ? where : lineAt(placeOf(tree, issue)))}: ${said(issue, value)}`
    }),
  ]
  if (config === undefined || mistakes.length > 0) throw configError(mistakes.join('\n'))
  const more = problemsOf(config)
  if (more.length > 0) throw configError(more.map(problem => `${where}: ${problem}`).join('\n'))
  return { config, folder }
}

/** What each value says by itself is right, and yet they do not go together. */
function problemsOf({ publicUrl, listen, store, requireSync, replicas }: Config): string[] {
  const url = new URL(publicUrl)
  const isOwn = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  return [
    ...(url.protocol === 'http:' && !isOwn
      ? ['"publicUrl" must begin with https: cookies and answers travel there. Put a proxy with TLS in front.']
      : []),
    ...(url.pathname !== '/' || url.search !== ''
      ? [`"publicUrl" must be an origin, such as "${url.origin}": a desk is at the root of its host.`]
      : []),
    ...((listen.certificate === undefined) !== (listen.certificateKey === undefined)
      ? ['"listen.certificate" and "listen.certificateKey" go together: give both, or leave TLS to a proxy.']
      : []),
    ...(requireSync === true && !/^postgres/.test(store) ? ['"requireSync" is for a store in Postgres.'] : []),
    ...(replicas !== undefined && !/^redis/.test(store) ? ['"replicas" is for a store in Redis.'] : []),
  ]
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw configError(`${path} cannot be read (${codeOf(error)}). Name the configuration with --config <file>.`)
  }
}

type Fields = Record<string, unknown>

function withSettings(value: Fields, given: readonly GivenSetting[]): Fields {
  for (const { path, value: wanted } of given) {
    let at = value
    for (const key of path.slice(0, -1)) {
      const next = at[key]
      // Whatever else is there is a mistake, which the check would name at a place that the environment has replaced.
      at[key] = typeof next === 'object' && next !== null && !Array.isArray(next) ? next : {}
      at = at[key] as Fields
    }
    at[path.at(-1) ?? ''] = wanted
  }
  return value
}

/** Where a mistake is, or else the nearest that there is around it. */
function placeOf(tree: Node, issue: z.core.$ZodIssue): number {
  const path = [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])]
  const steps = path.map(step => (typeof step === 'number' ? step : String(step)))
  for (let length = steps.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, steps.slice(0, length))
    if (node !== undefined) return node.parent?.type === 'property' ? node.parent.offset : node.offset
  }
  return tree.offset
}

/** What to do without a value that not everyone has. */
const whenMissing: Readonly<Record<string, string>> = {
  oidc: ': the OpenID provider that people sign in at. Without one, `beckon inbox` is a desk for this machine, and `createDesk` with `bearerAccess` one of your own.',
}

function said(issue: z.core.$ZodIssue, value: unknown): string {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map(key => `"${[path, key].filter(Boolean).join('.')}"`).join(', ')
    return `${keys} is not a setting. \`beckon config schema\` has all of them.`
  }
  const found = issue.path.reduce<unknown>((at, key) => (at as Fields | undefined)?.[String(key)], value)
  if (found === undefined) return `"${path}" is missing${Object.hasOwn(whenMissing, path) ? whenMissing[path] : '.'}`
  if (issue.code === 'invalid_type') return `"${path}" must be ${article(issue.expected)}.`
  return `"${path}" ${issue.message}.`
}

function article(type: string): string {
  const word = { int: 'whole number', array: 'list', record: 'table' }[type] ?? type
  return /^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`
}
