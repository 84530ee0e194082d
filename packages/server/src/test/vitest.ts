// Registers the matchers with vitest and types them: `import 'beckon/test/vitest'` in a test or a setup file.
// The only file here that needs vitest, which is why it is an entry of its own.
import { expect } from 'vitest'
import { type BeckonMatchers, matchers } from './matchers.js'

// Not in the module: where this package is linked, as from a clone, it finds another copy of vitest than the tests do. What
// vitest declares for all matchers of that kind is global, and so the same in every copy.
declare global {
  namespace jest {
    // An interface is merged only under the same parameters, used or not.
    // biome-ignore lint/complexity/noBannedTypes: the default is vitest's own
    interface Matchers<R, T = {}> extends BeckonMatchers {}
  }
}

expect.extend(matchers)
