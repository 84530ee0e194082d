// `node --import ./test/typescript/register.mjs some.ts`: runs TypeScript without a build, for the examples of agents, which are no
// part of the workspace.
import { register } from 'node:module'

register('./hooks.mjs', import.meta.url)
