// A process that starts a desk on its store as often as it is told: node starting.mjs '{"url": "postgres://..."}'
import { createDesk } from '@beckon/desk'
import { openFor } from '../../../faults/open-store.mjs'
import { answerCommands } from '../../commands.mjs'
import { access } from '../node/node.mjs'

const { url } = JSON.parse(process.argv[2] ?? '{}')
const store = await openFor(url)
/** @type {import('@beckon/desk').Desk | undefined} */
let desk

answerCommands({
  /** The one before ends first, which does not count. */
  async start() {
    await desk?.close()
    // Connects, where it does not yet: that is no part of the start either.
    await store.get('bench')
    const began = performance.now()
    desk = createDesk({ store, access: access() })
    const listening = await desk.listen()
    return { url: listening.url, ms: performance.now() - began }
  },
})
process.send?.({ url })
