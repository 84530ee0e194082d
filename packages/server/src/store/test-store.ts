import { expiryCases } from './cases/expiry.js'
import { handleCases } from './cases/handles.js'
import { keyCases } from './cases/keys.js'
import { logCases } from './cases/logs.js'
import { namedAppendCases } from './cases/named-appends.js'
import { nameCases } from './cases/names.js'
import { rewriteCases } from './cases/rewrite.js'
import { setExpiryCases } from './cases/set-expiry.js'
import { setRangeCases } from './cases/set-ranges.js'
import { setCases } from './cases/sets.js'
import type { StoreCase, TestClock } from './cases/store-case.js'
import { topicCases } from './cases/topics.js'
import { trimCases } from './cases/trims.js'
import { valueCases } from './cases/values.js'
import type { Store } from './store.js'

/** What `setup` makes for each case: a store with nothing in it. */
export interface StoreSetup {
  store: Store
  /** Another handle on the same data, as another process would have it. Needed when the store is shared. */
  second?: Store | undefined
  /** The clock that the store goes by, where a test can move it. Without one, cases at an exact moment are skipped. */
  clock?: TestClock | undefined
  /** Gives everything back; called also when the case failed. The handles may be closed by then. */
  teardown(): void | Promise<void>
}

/** How a case is run: the `test` or `it` of vitest, node:test, Jest and others. */
export type TestFunction = (name: string, run: (context?: TestContext) => Promise<void>) => unknown

/** What a runner hands to a test; with `skip`, a skipped case is reported as such. */
export interface TestContext {
  skip?(reason: string): unknown
}

/** What `testStore` takes. */
export interface TestStoreOptions {
  test: TestFunction
  /** Why a case is not run, by its title. A title that no case has is an error. */
  skip?: Readonly<Record<string, string>>
}

const cases: readonly StoreCase[] = [
  ...valueCases,
  ...nameCases,
  ...keyCases,
  ...expiryCases,
  ...logCases,
  ...trimCases,
  ...rewriteCases,
  ...setCases,
  ...setRangeCases,
  ...setExpiryCases,
  ...namedAppendCases,
  ...topicCases,
  ...handleCases,
]

/**
 * Checks a store against every promise of `Store`, a test each. What is skipped is printed with its reason.
 *
 * @example
 * import { test } from 'vitest'
 * testStore('memory', () => { const store = memoryStore(); return { store, teardown: () => store.close() } }, { test })
 */
export function testStore(
  name: string,
  setup: () => StoreSetup | Promise<StoreSetup>,
  { test, skip = {} }: TestStoreOptions,
): void {
  for (const title of Object.keys(skip)) {
    if (!cases.some(known => known.title === title)) throw new Error(`No case of testStore has the title "${title}".`)
  }
  for (const storeCase of cases) {
    test(`${name}: ${storeCase.title}`, async context => {
      const skipped = skip[storeCase.title] ?? (await runCase(storeCase, setup))
      if (skipped === undefined) return
      console.info(`skipped: ${name}: ${storeCase.title} (${skipped})`)
      context?.skip?.(skipped)
    })
  }
}

/** Runs a case on a store of its own; resolves to the reason when this store gives it nothing to run on. */
async function runCase(
  storeCase: StoreCase,
  setup: () => StoreSetup | Promise<StoreSetup>,
): Promise<string | undefined> {
  const { store, second, clock, teardown } = await setup()
  const subject = {
    store,
    handles: second ? [store, second] : [store],
    now: () => (clock ?? Date).now(),
  }
  try {
    if (storeCase.needs === 'clock') {
      if (!clock) return 'its clock cannot be moved'
      await storeCase.run({ ...subject, clock })
    } else if (storeCase.needs === 'second') {
      if (!second) return 'it is not shared'
      await storeCase.run({ ...subject, second })
    } else {
      await storeCase.run(subject)
    }
    return undefined
  } finally {
    await teardown()
  }
}
