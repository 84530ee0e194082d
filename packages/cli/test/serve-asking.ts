import { askingServer } from './asking-server.js'

await askingServer().listen()
