import type { RestReply, RestRequest, RestResponse, RestViewer } from './exchange.js'
import { invalidRequest, problem } from './problem.js'

type RestMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A request that matched a route. */
export interface Matched extends RestRequest {
  readonly viewer: RestViewer
  /** A part of the path, by its name in the route. */
  param(name: string): string
}

export interface Route {
  readonly method: RestMethod
  /** As OpenAPI writes it: `/api/asks/{id}`. */
  readonly path: string
  readonly handle: (request: Matched) => RestResponse | Promise<RestResponse>
}

/** Finds the route for a request, and takes it. */
export async function route(routes: readonly Route[], request: RestRequest, viewer: RestViewer): Promise<RestResponse> {
  const found = match(routes, request)
  if ('status' in found) return found
  const { method, path, query, body, lastEventId } = request
  return found.route.handle({
    method,
    path,
    query,
    body,
    lastEventId,
    header: name => request.header(name),
    viewer,
    param: found.param,
  })
}

type Described = Pick<Route, 'path'> & { readonly method: RestMethod }

/** The route for a request, or why there is none. */
export function match<R extends Described>(
  routes: readonly R[],
  request: Pick<RestRequest, 'method' | 'path'>,
): { readonly route: R; readonly param: Matched['param'] } | RestReply {
  const parts = decodeParts(request.path)
  if (parts === undefined) return invalidRequest('The path is not encoded as it should be.')
  const here = routes.flatMap(one => {
    const params = paramsOf(one.path.split('/'), parts)
    return params === undefined ? [] : [{ route: one, params }]
  })
  if (here.length === 0) return problem({ code: 'not-found' })
  const found = here.find(({ route: { method } }) => method === request.method)
  if (found === undefined) {
    const allow = here.map(({ route: { method } }) => method).join(', ')
    const refused = problem({ code: 'method-not-allowed', params: { allow } })
    return { ...refused, headers: { ...refused.headers, allow } }
  }
  return { route: found.route, param: name => found.params.get(name) ?? '' }
}

function decodeParts(path: string): string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
}

function paramsOf(pattern: readonly string[], parts: readonly string[]): Map<string, string> | undefined {
  if (pattern.length !== parts.length) return undefined
  const params = new Map<string, string>()
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index] ?? ''
    const name = /^\{(\w+)\}$/.exec(expected)?.[1]
    if (name !== undefined && part !== '') params.set(name, part)
    else if (part !== expected) return undefined
  }
  return params
}
