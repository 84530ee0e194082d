// One table for what can be requested: routes are made of it with a handler for each name, and the document without.
import type { Route } from '../router.js'
import type { Schema } from './shapes.js'

/** One thing that can be requested, as OpenAPI describes it. */
interface Operation extends Pick<Route, 'method' | 'path'> {
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Schema[]
  readonly requestBody?: Schema
  readonly responses: Readonly<Record<string, Schema>>
}

/** By `operationId`. */
export type Operations<Name extends string> = Readonly<Record<Name, Operation>>

/** Routes with a handler for every operation, in the order of the handlers. */
export function routesFor<Name extends string>(
  operations: Operations<Name>,
  handlers: Readonly<Record<NoInfer<Name>, Route['handle']>>,
): readonly Route[] {
  return Object.entries<Route['handle']>(handlers).map(([name, handle]) => {
    const { method, path } = operations[name as Name]
    return { method, path, handle }
  })
}

/** The `paths` of a document. */
export function pathsOf(tables: readonly Operations<string>[]): Schema {
  const paths: Record<string, Record<string, Schema>> = {}
  for (const [operationId, { method, path, ...rest }] of tables.flatMap(table => Object.entries(table))) {
    paths[path] = { ...paths[path], [method.toLowerCase()]: { operationId, ...rest } }
  }
  return paths
}
