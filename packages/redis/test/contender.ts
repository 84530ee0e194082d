// One of several processes that change the same things at once: `contender.ts <url> <prefix> <times>`.
import { redisStore } from '@beckon/redis'

const [url = '', prefix = '', times = '0'] = process.argv.slice(2)
const store = redisStore({ url, prefix, warn() {} })

for (let done = 0; done < Number(times); ) {
  const entry = await store.get('counter')
  const next = Number(entry?.value ?? 0) + 1
  if ((await store.compareAndSet('counter', entry?.version, next)) === undefined) continue
  done += 1
  // Whoever counted to a number writes it down, once all before it are there.
  while ((await store.append('counted', [next], { after: next - 1 })) === undefined);
}
await store.close()
