// The page of the inbox, from the sources of this package and of the model.
import { fileURLToPath } from 'node:url'

export default {
  root: fileURLToPath(new URL('src/app/', import.meta.url)),
  base: '/',
  // The same page whoever builds it: tests have another NODE_ENV.
  resolve: { conditions: ['@beckon/source', 'module', 'browser', 'production'] },
  build: {
    outDir: fileURLToPath(new URL('dist/page/', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // Nothing may stand in the page itself: the policy that it is served with allows no inline script or style.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
}
