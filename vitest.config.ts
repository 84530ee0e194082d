import { defineConfig } from 'vitest/config'

// Workspace packages are resolved to their sources, so that tests need no build; everything else as Node does it, which
// knows no `module`.
const conditions = ['@beckon/source', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', '{faults,scripts,site}/**/*.test.mjs', 'test/**/*.test.ts'],
    // Most tests wait for processes, sockets and browsers more than they compute.
    maxWorkers: '100%',
    // Each worker loads the sources once, and not again for every file: half of all processor time went there. So a test
    // file leaves nothing behind: what it mocks, sets or starts, it takes back.
    isolate: false,
    // Tests make much that is soon gone: with room for it, it is collected less often, for some percent of all time.
    execArgv: ['--max-semi-space-size=64'],
    setupFiles: ['test/every-file.setup.ts'],
    // Time is no measure of whether something works: machines are shared.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['scripts/services/vitest-setup.mjs'],
    typecheck: {
      enabled: true,
      tsconfig: './tsconfig.types.json',
      include: ['packages/*/{src,test}/**/*.test-d.ts'],
    },
    coverage: {
      // What has to be covered is in scripts/coverage-gate.mjs, which reads this report.
      include: ['packages/core/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/*.test-d.ts'],
      reporter: ['json'],
    },
  },
})
