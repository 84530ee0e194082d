// Who may call, by the Authorization header of the call's own request. It is checked when a call begins, and again for
// each request that has the call replayed. A durable call, with no request open, goes by its beginning;
// that a later request is of the same person is for `identify`, which every request state is bound to.
import type { Context } from '../author/context.js'
import type { JsonValue } from '../store/index.js'

/** What a checked header says of its sender; undefined for one that does not count. */
type Check<T extends JsonValue> = (token: string) => Promise<T | undefined>

/** Checks the token of a call once for each request. */
export async function authorize<T extends JsonValue>(
  ctx: Context,
  name: string,
  check: Check<T>,
): Promise<T | undefined> {
  let isFresh = false
  const begun = await ctx.step(name, async () => {
    isFresh = true
    return { found: (await checkRequest(ctx, check)) ?? null }
  })
  if (begun.found === null || isFresh || ctx.request === undefined) return begun.found ?? undefined
  return checkRequest(ctx, check)
}

async function checkRequest<T extends JsonValue>({ request }: Context, check: Check<T>): Promise<T | undefined> {
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(request?.headers.get('authorization') ?? '')?.[1]
  return token === undefined ? undefined : check(token)
}
