// A desk over REST, as an admin. Why not on the store: the desk knows who asks and what they may, writes both down, and what it
// changes holds on every node at once. An operator with the store alone would leave no trace of who did what.
import { CliError, usageError } from '../cli-error.js'
import { readSecret } from '../config/secret.js'
import { exitCodes } from '../exit-codes.js'
import { fields } from '../fields.js'

export interface DeskApiOptions {
  readonly desk: string | undefined
  readonly tokenFile: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

type Method = 'GET' | 'POST' | 'DELETE'

/** What a desk answers to an admin. */
export interface DeskApi {
  send(method: Method, path: string, body?: unknown): Promise<Record<string, unknown>>
  /** What comes line by line, each a JSON value. */
  lines(path: string): Promise<AsyncIterable<string>>
}

/** The desk that a command is about. @throws CliError where that, or the token, is not said or cannot be used */
export function deskApi({ desk, tokenFile, env }: DeskApiOptions): DeskApi {
  const url = addressOf(desk ?? env.BECKON_DESK)
  const token = tokenIn(tokenFile ?? env.BECKON_ADMIN_TOKEN_FILE, env)

  async function request(method: Method, path: string, accept: string, body?: unknown): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, accept, 'content-type': 'application/json' }
    const sent = {
      method,
      headers,
      redirect: 'error' as const,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const response = await fetch(new URL(path, url), sent).catch(error => {
      throw new CliError(`The desk at ${url.origin} does not answer (${reasonOf(error)}).`, exitCodes.cannotConnect)
    })
    if (response.ok) return response
    throw await refusal(response, url)
  }

  return {
    async send(method, path, body) {
      return fields(await (await request(method, path, 'application/json', body)).json())
    },
    async lines(path) {
      return linesOf(await request('GET', path, 'application/x-ndjson'))
    },
  }
}

async function refusal(response: Response, { origin }: URL): Promise<CliError> {
  const { detail, code } = fields(await response.json().catch(() => ({})))
  const said = typeof detail === 'string' ? detail : `It answered ${response.status}.`
  if (response.status === 401)
    return new CliError(
      `${origin} does not know this token. Name that of a program with the role "admin".`,
      exitCodes.failed,
    )
  if (response.status === 403)
    // What the desk says of an action that is not allowed is for clients of its socket.
    return new CliError(
      `${code === 'not-allowed' ? '' : `${said} `}This is for admins; that it was tried is in the audit.`,
      exitCodes.failed,
    )
  if (response.status === 404)
    return new CliError(
      `${said} Either there is none of that name, or the token is that of a server, which may only ask: an admin's is that of a ` +
        'program with the role "admin".',
      exitCodes.failed,
    )
  return new CliError(said, response.status >= 500 ? exitCodes.broken : exitCodes.failed)
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  let rest = ''
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = `${rest}${part}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

function addressOf(address: string | undefined): URL {
  if (address === undefined || !URL.canParse(address))
    throw usageError('Which desk? --desk https://desk.example, or BECKON_DESK.')
  const url = new URL(address)
  const isOwn = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOwn))
    throw usageError(`A token for ${url.hostname} would travel over ${url.protocol.slice(0, -1)}. Use https.`)
  if (url.username !== '' || url.password !== '')
    throw usageError('A token does not belong in the address. Put it in a file: --token-file <file>.')
  return url
}

function tokenIn(file: string | undefined, env: DeskApiOptions['env']): string {
  const place = file !== undefined ? { file } : { env: 'BECKON_ADMIN_TOKEN' }
  try {
    return readSecret(place, { folder: process.cwd(), env })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw usageError(
      `The token of an admin ${why}. --token-file <file>, BECKON_ADMIN_TOKEN_FILE or BECKON_ADMIN_TOKEN.`,
    )
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(error)
}
