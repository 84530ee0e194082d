// The page of the inbox, from the sources of this package and of the model.
import { fileURLToPath } from 'node:url'

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
/** The styles of elements are texts to a bundler: without what only people read, they are a fifth shorter. */
function shorterStyles() {
  const shorter = (css: string): string =>
    css
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/\s+/g, ' ')
      .replace(/ ?([{};]) ?/g, '$1')
  return {
    name: 'shorter-styles',
    transform: (code: string, id: string) =>
      id.includes('/src/elements/') && code.includes('= css`')
        ? {
            code: code.replace(/(= css`)([^`$]*)`/g, (_, start: string, css: string) => `${start}${shorter(css)}\``),
            map: null,
          }
        : undefined,
  }
}

// The same page anyone who builds it: tests have another NODE_ENV.
const resolve = { conditions: ['@beckon/source', 'module', 'browser', 'production'] }

const page = {
  root: file('src/app/'),
  base: '/',
  plugins: [shorterStyles()],
  resolve,
  build: {
    outDir: file('dist/page/'),
    emptyOutDir: true,
    target: 'es2023',
    // Nothing may stand in the page itself: the policy that it is served with allows no inline script or style.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: file('src/app/index.html') },
  },
}

/** Built by itself: it is a script, not a module, and shares nothing with the page. It has one address for good. */
const worker = {
  root: file('src/worker/'),
  publicDir: false,
  resolve,
  build: {
    outDir: file('dist/page/'),
    emptyOutDir: false,
    target: 'es2023',
    lib: {
      entry: file('src/worker/service-worker.ts'),
      name: 'worker',
      formats: ['iife'],
      fileName: () => 'service-worker.js',
    },
  },
}

export default ({ mode }: { mode: string }) => (mode === 'worker' ? worker : page)
