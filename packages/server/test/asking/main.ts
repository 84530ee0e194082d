// Serves on standard input and output; with `--http`, on a port that is free.
import { createAskingServer } from './server.js'

const { url } = await createAskingServer().listen(process.argv.includes('--http') ? { port: 0 } : {})
if (url.startsWith('http')) console.log(`Listening on ${url}`)
