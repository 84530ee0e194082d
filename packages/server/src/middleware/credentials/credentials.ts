// Threat: a password that passes through the client, the model, a log or the store. The person types it on our own page;
// it goes to `verify` and nowhere else, and what stays is what `verify` gives back.
import {
  type AnswerOf,
  type AskSchema,
  type Content,
  type Form,
  formOf,
  type Issue,
  parseAnswer,
  SensitiveFieldError,
} from '@beckon/core'
import type { Middleware } from '../../author/middleware.js'
import type { Session } from '../../author/session.js'
import { explainEnd, type Flow, runFlow, type Visit, withFlows } from '../../flows/index.js'
import { accountIn, contentFrom, fieldsOf, html, withoutSecrets } from '../../pages/index.js'
import { attemptsOf } from './attempts.js'

/** Who signs in, for `verify`. */
export interface SigningIn {
  readonly principal: string | undefined
  readonly sessionId: string
  readonly session: Session
}

export interface CredentialsOptions<S extends AskSchema> {
  /** What the person is told before they open the page. */
  message: string
  /** What they type: any schema that a form can have, with secrets. */
  schema: S
  /**
   * Gets what was typed, once, and gives what is known of the person from now on, as JSON; null, undefined or false where
   * it is wrong. What it throws is neither shown nor logged: the person may try again.
   */
  verify: (values: AnswerOf<S>, who: SigningIn) => unknown
  /** Names it on its server; two different ones need two names. Default: `credentials`. */
  name?: string
  /** Where the session has what `verify` gave. Default: the name. */
  sessionKey?: string
  /** How often one caller may be wrong within 15 minutes; one account, and one address, ten times that. Default: 5. */
  attempts?: number
  /** How long the person may take. Default: 5 minutes. */
  timeoutMs?: number
  /** The same as `timeoutMs`. */
  timeout?: number
}

const defaultAttempts = 5
const failed: unique symbol = Symbol('failed')
const notNow = 'We could not check that now. Try again in a moment.'
const tooMany = 'There were too many attempts. Wait 15 minutes, then start again.'

/**
 * Has the person sign in, on a page of ours, before the handler runs: once in a session.
 * @example
 * const login = credentials({
 *   message: 'Sign in to the warehouse.',
 *   schema: z.object({ username: z.string(), password: z.string() }),
 *   verify: ({ username, password }) => users.check(username, password), // { id } or null
 * })
 * server.tool('stock', login, {}, async (_input, ctx) => ctx.json(await ctx.session.get('credentials')))
 */
export function credentials<const S extends AskSchema>(options: CredentialsOptions<S>): Middleware {
  const { message, schema, verify, name = 'credentials', sessionKey = name, attempts: max = defaultAttempts } = options
  const { timeoutMs = options.timeout } = options
  const form = secretFormOf(schema)

  async function page(visit: Visit<null, null>): Promise<Response> {
    const { flow, form: sent, pages } = visit
    if (sent === undefined) return show(visit, {})
    const content = contentFrom(form, sent)
    const typed = withoutSecrets(form, content)
    const parsed = await tryIt(() => parseAnswer(schema, content))
    if (parsed === failed) return show(visit, { status: 503, typed, trouble: notNow })
    if (parsed.issues !== undefined) return show(visit, { status: 422, typed, ...problemsOf(parsed.issues, form) })
    const attempts = attemptsOf(flow, { name, max, account: accountIn(form, content), address: visit.address })
    const left = await attempts.take()
    const { principal, sessionId, session } = flow
    const found = left < 0 ? false : await tryIt(() => verify(parsed.value, { principal, sessionId, session }))
    if (found !== failed && found !== null && found !== undefined && found !== false) {
      const isDone = await flow.complete(null, async () => {
        await session.set(sessionKey, found)
        await attempts.succeeded()
      })
      return isDone ? pages.done() : visit.again()
    }
    if (left <= 0) {
      await flow.fail('The person could not sign in: there were too many attempts.')
      return pages.failed(tooMany, 429)
    }
    const trouble = found === failed ? notNow : 'That is not right.'
    return show(visit, { status: found === failed ? 503 : 401, typed, trouble: `${trouble} ${leftover(left)}` })
  }

  function show(
    { flow, csrf, headers, pages }: Visit,
    { status = 200, typed = {}, problems = [], trouble }: Shown,
  ): Response {
    return pages.show({
      title: 'Sign in',
      status,
      headers,
      body: html`<h1>Sign in</h1>
<p class="message">${flow.message}</p>
${trouble !== undefined && html`<p class="warning" role="alert">${trouble}</p>`}
<form method="post">${csrf}${fieldsOf(form, { typed, problems: new Map(problems) })}<button>Sign in</button></form>
<p class="quiet">What you type goes to ${pages.brand.name} only. The assistant that sent you here does not see it.</p>`,
    })
  }

  const flow: Flow<null, null> = { name, endsBy: 'page', page }
  return withFlows(async function credentials(ctx, next) {
    const isKnown = async () => (await ctx.session.get(sessionKey)) !== undefined
    if (await ctx.step(`${name}: signed in`, isKnown)) return next()
    const end = await runFlow(ctx, flow, { message, timeoutMs, begin: () => ({ data: null }) })
    return end.kind === 'done' ? next() : explainEnd(ctx, end)
  }, flow)
}

interface Shown {
  status?: number
  typed?: Content
  problems?: readonly (readonly [field: string, text: string])[]
  trouble?: string
}

/** What does not fit, at its field; what is of no field, or of several together, above them. */
function problemsOf(issues: readonly Issue[], { properties }: Form): Pick<Shown, 'problems' | 'trouble'> {
  const problems = issues.map(({ path: [field = ''], message }) => [String(field), message] as const)
  const others = problems.flatMap(([field, message]) => (Object.hasOwn(properties, field) ? [] : [message]))
  return { problems, trouble: others.length > 0 ? others.join(' ') : 'Something does not fit. It is marked below.' }
}

/** Whatever goes wrong in there may have what was typed in it. */
async function tryIt<T>(look: () => T): Promise<Awaited<T> | typeof failed> {
  try {
    return await look()
  } catch {
    return failed
  }
}

function leftover(left: number): string {
  return left === 1 ? 'You can try once more.' : `You can try ${left} more times.`
}

/** A form that may ask for secrets: it is never sent to a client. */
function secretFormOf(schema: AskSchema): Form {
  const allow: string[] = []
  for (;;) {
    try {
      return formOf(schema, { allow })
    } catch (error) {
      if (!(error instanceof SensitiveFieldError)) throw error
      allow.push(error.property)
    }
  }
}
