// Which scopes a message needs, by what stands before what it calls: told before the call begins, while an HTTP status can
// still say so.
import { isRecord } from '@beckon/core/json-rpc'
import { checkScopes } from '../auth/options.js'
import { type Middleware, scopesIn } from '../author/middleware.js'
import type { Registry } from './registry.js'

/** @throws TypeError for scopes that nobody could have, or that nothing would check */
export function checkMiddlewareScopes(middleware: readonly Middleware[], hasAuth: boolean): void {
  const scopes = scopesIn(middleware)
  checkScopes(scopes, 'guard({ scopes })')
  if (scopes.length > 0 && !hasAuth)
    throw new TypeError('guard({ scopes }) needs to know whose tokens count: give createServer `auth`.')
}

/** All that anything of a server asks for. */
export function allScopes({ tools, prompts, resources, templates, middleware }: Registry): string[] {
  const offered = [tools, prompts, resources, templates].flatMap((list): { middleware: readonly Middleware[] }[] => [
    ...list.values(),
  ])
  return [...new Set([...scopesIn(middleware), ...offered.flatMap(one => scopesIn(one.middleware))])]
}

/** The scopes that a message needs, or all messages of a batch together. */
export function scopesNeeded(registry: Registry, message: unknown): string[] {
  if (Array.isArray(message)) return message.flatMap(one => scopesNeeded(registry, one))
  if (!isRecord(message) || !isRecord(message.params)) return []
  const before = calledBy(registry, message.method, message.params)
  return before === undefined ? [] : scopesIn([...registry.middleware, ...before])
}

/** What stands before what a message calls; undefined for one that calls nothing of the server's. */
function calledBy(
  registry: Registry,
  method: unknown,
  { name, uri, ref }: Readonly<Record<string, unknown>>,
): readonly Middleware[] | undefined {
  switch (method) {
    case 'tools/call':
      return registry.tools.get(String(name))?.middleware
    case 'prompts/get':
      return registry.prompts.get(String(name))?.middleware
    case 'resources/read':
    case 'resources/subscribe':
      return registry.findResource(String(uri))?.resource.middleware
    case 'completion/complete':
      return isRecord(ref) ? completed(registry, ref) : undefined
    default:
      return undefined
  }
}

function completed(registry: Registry, { name, uri }: Readonly<Record<string, unknown>>): readonly Middleware[] {
  const of = name === undefined ? registry.templates.get(String(uri)) : registry.prompts.get(String(name))
  return of?.middleware ?? []
}
