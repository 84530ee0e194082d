// A process that offers what a document does, on standard input and output.
import { createServer } from 'beckon'
import { type DocumentName, documents } from './documents/index.js'

const server = createServer({ name: 'story', version: '1.0.0', person: 'unchecked' })
documents[process.argv[2] as DocumentName](server)
await server.listen()
