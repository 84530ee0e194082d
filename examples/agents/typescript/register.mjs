// `node --import ./typescript/register.mjs some.ts`: runs TypeScript without a build.
import { register } from 'node:module'

register('./hooks.mjs', import.meta.url)
