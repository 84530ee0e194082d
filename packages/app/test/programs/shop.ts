// An app in a process of its own: where it writes its manifest, and how it ends.
import { app } from '@beckon/app'

const [home = '', ending, transport] = process.argv.slice(2)

if (ending === 'exit') process.stdin.once('data', () => process.exit(3))
if (ending === 'own') process.on('SIGTERM', () => process.exit(5))
await app({ id: 'shop', name: 'The shop' }).listen({
  home,
  transport: transport === 'uds' ? 'uds' : 'ws',
  onClaimCode: code => console.log(code),
})
