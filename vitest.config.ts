import { defineConfig } from 'vitest/config'

// Workspace packages are resolved to their sources, so that tests need no build.
const conditions = ['@beckon/source', 'module', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.mjs', 'test/**/*.test.ts'],
    typecheck: {
      enabled: true,
      tsconfig: './tsconfig.test.json',
      include: ['packages/*/{src,test}/**/*.test-d.ts'],
    },
    coverage: {
      // What has to be covered is in scripts/coverage-gate.mjs, which reads this report.
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/*.test-d.ts'],
      reporter: ['json'],
    },
  },
})
