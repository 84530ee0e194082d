// A gateway whose heap can be looked at, on a home of its own: `node --expose-gc gateway.mjs`.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway } from '@beckon/gateway'
import { answerCommands } from '../../commands.mjs'

const home = mkdtempSync(join(tmpdir(), 'beckon-bench-'))
// Records of answered rounds have bounds of their own: with small ones, what grows is something else.
const server = { limits: { rounds: 1_000, replies: 100 } }
const gateway = createGateway({ home, log: () => {}, server })
process.on('exit', () => rmSync(home, { recursive: true, force: true }))
answerCommands()
const { url } = await gateway.listen({ port: 0 })
process.send?.({ url })
