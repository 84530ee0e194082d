// `#stdio` where a program has no standard input and output: the SDK's transport for them stays out of its bundle.
import type { serveStdio as serve } from './serve-stdio.js'

export const serveStdio: typeof serve = () => {
  throw new Error('This runtime has no standard input and output to serve on. Hand requests to `server.fetch`.')
}
