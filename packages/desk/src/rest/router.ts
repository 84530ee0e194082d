import type { RestRequest, RestResponse, RestViewer } from './exchange.js'
import { problem } from './problem.js'

type RestMethod = 'GET' | 'POST' | 'PUT'

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
  const parts = decodeParts(request.path)
  if (parts === undefined) return problem('request-invalid', 'The path is not encoded as it should be.')
  const here = routes.flatMap(({ path, method, handle }) => {
    const params = paramsOf(path.split('/'), parts)
    return params === undefined ? [] : [{ method, handle, params }]
  })
  if (here.length === 0) return problem('not-found', 'There is nothing here. GET /api/openapi.json says what there is.')
  const match = here.find(({ method }) => method === request.method)
  if (match === undefined) {
    const allow = here.map(({ method }) => method).join(', ')
    const refused = problem('method-not-allowed', `This takes ${allow}.`)
    return { ...refused, headers: { ...refused.headers, allow } }
  }
  const { method, path, query, body, lastEventId } = request
  return match.handle({
    method,
    path,
    query,
    body,
    lastEventId,
    header: name => request.header(name),
    viewer,
    param: name => match.params.get(name) ?? '',
  })
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
