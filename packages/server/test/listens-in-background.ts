import { createServer } from '../src/index.js'

const server = createServer({ name: 's', version: '1.0.0' })
console.log((await server.listen({ port: 0, isBackground: true })).url)
