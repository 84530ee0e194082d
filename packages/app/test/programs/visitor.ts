// An app in a process of its own that dials a gateway, and has nothing else to do, until it is told to stop.
import { app } from '@beckon/app'

const [url = ''] = process.argv.slice(2)
const stopping = new AbortController()

process.on('SIGTERM', () => stopping.abort())
await app({ id: 'visitor', name: 'The visitor' })
  .connect(url, { signal: stopping.signal })
  .catch(() => {})
