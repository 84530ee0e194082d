// Registers the matchers with vitest and types them: `import 'beckon/test/vitest'` in a test or a setup file.
// The only file here that needs vitest, which is why it is an entry of its own.
import { expect } from 'vitest'
import { type BeckonMatchers, matchers } from './matchers.js'

declare module 'vitest' {
  // An interface is merged only under the same parameters, used or not.
  interface Matchers<T> extends BeckonMatchers {}
}

expect.extend(matchers)
