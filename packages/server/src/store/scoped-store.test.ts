import { expect, it } from 'vitest'
import { memoryStore } from './memory-store.js'
import { scopedStore } from './scoped-store.js'

it('has values, logs, sets and topics of its own for each scope, whatever they are called', async () => {
  const store = memoryStore()
  const scopes = [
    { server: 'shop' },
    { server: 'shop/a' },
    { server: '+shop' },
    { people: 'shop' },
    { people: '~x' },
    { server: '' },
    { server: 'desk' },
    { desk: true as const },
  ].map(scope => scopedStore(store, scope))
  const heard: unknown[] = []
  for (const [index, scope] of scopes.entries()) {
    await scope.set('a/b', index)
    await scope.append('log', [index])
    await scope.put('set', `${index}`, index)
    await scope.subscribe('topic', message => heard.push([index, message]))
  }
  for (const [index, scope] of scopes.entries()) {
    expect((await scope.get('a/b'))?.value).toBe(index)
    expect(await scope.read('log')).toEqual([{ seq: 1, value: index }])
    expect(await scope.range('set', { limit: 10 })).toEqual([{ member: `${index}`, score: index }])
    await scope.publish('topic', index)
  }
  await new Promise(resolve => setImmediate(resolve))
  expect(heard).toEqual(scopes.map((_, index) => [index, index]))
})
