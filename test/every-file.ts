// A worker loads the modules of a rig once for all test files that it runs, so a hook that a rig registers with vitest while it
// is loaded holds in the first of those files alone. Registered here, it holds in all: `every-file.setup.ts` runs in each.

type Hook = () => unknown

interface Hooks {
  readonly each: Set<Hook>
  readonly all: Set<Hook>
}

// In one place also where a test loads modules anew.
const key = Symbol.for('beckon.test.every-file')
const here = globalThis as { [key]?: Hooks }
const { each, all } = here[key] ?? { each: new Set(), all: new Set() }
here[key] = { each, all }

/** Runs after each test of every file. */
export function afterEveryTest(hook: Hook): void {
  each.add(hook)
}

/** Runs at the end of every file. */
export function afterEveryFile(hook: Hook): void {
  all.add(hook)
}

export async function endTest(): Promise<void> {
  for (const hook of each) await hook()
}

export async function endFile(): Promise<void> {
  for (const hook of all) await hook()
}
