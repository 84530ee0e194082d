// `node --import ./test/typescript/register.mjs some.ts`: runs TypeScript without a build, for tests that need a process of
// their own. With `--conditions=@beckon/source` our packages come from their sources too.
import { register } from 'node:module'

register('./hooks.mjs', import.meta.url)
