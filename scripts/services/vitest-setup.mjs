// Before the tests of a run: starts the services that they use. After them: ends what was started.

import { neededServices } from './needed-services.mjs'
import { describeMissing, missingServices, provideServices } from './services.mjs'

/** @param {import('vitest/node').TestProject} project */
export default async function setup({ vitest }) {
  // While watching, any test may come next.
  const files = vitest.config.watch
    ? (await vitest.globTestSpecifications()).map(({ moduleId }) => moduleId)
    : vitest.state.getPaths()
  const needed = neededServices(files)
  for (const service of missingServices(needed)) console.log(describeMissing(service))
  return provideServices(needed)
}
