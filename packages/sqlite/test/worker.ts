// A process of its own that works on a file: `worker.ts <path> contend|append <name>`.
import { sqliteStore } from '../src/index.js'

const [path = '', task, name = ''] = process.argv.slice(2)
const store = sqliteStore(path)

async function increment(): Promise<void> {
  for (;;) {
    const entry = await store.get('counter')
    const next = Number(entry?.value ?? 0) + 1
    if ((await store.compareAndSet('counter', entry?.version, next)) !== undefined) return
  }
}

async function takePlace(): Promise<void> {
  for (;;) {
    const after = (await store.append('log', [])) ?? 0
    if ((await store.append('log', [name, name], { after })) !== undefined) return
  }
}

if (task === 'contend') {
  for (let round = 0; round < 5; round++) await Promise.all([increment(), increment(), takePlace(), takePlace()])
  await store.publish('done', name)
  await store.close()
} else {
  for (let count = 1; ; count++) {
    await store.append('log', [count])
    process.stdout.write(`${count}\n`)
  }
}
