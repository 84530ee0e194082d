// The suite imports `globSync` from 'fs', which Node has from 22 on; it is used by a command we do not run.
// Preloaded with `--import`, this gives the suite a 'fs' that has the name, on Node 20.
import fs from 'node:fs'
import { register } from 'node:module'

if (!('globSync' in fs)) {
  const stub = `export * from 'node:fs'; export { default } from 'node:fs'
export function globSync() { throw new Error('globSync needs Node 22') }`
  const hooks = `const stub = 'data:text/javascript,' + ${JSON.stringify(encodeURIComponent(stub))}
export async function resolve(specifier, context, next) {
  const fromSuite = context.parentURL?.includes('/@modelcontextprotocol/conformance/')
  return fromSuite && (specifier === 'fs' || specifier === 'node:fs') ? { url: stub, shortCircuit: true } : next(specifier, context)
}`
  register(`data:text/javascript,${encodeURIComponent(hooks)}`)
}
