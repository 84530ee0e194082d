import { memoryStore } from 'beckon'
import { expect, it } from 'vitest'
import { bearerAccess } from './access/index.js'
import { createDesk } from './create-desk.js'
import { fill } from './fill.js'

it('puts asks there that a desk lists, shows and answers', async () => {
  // As databases are: what is kept there is sealed.
  const store = { ...memoryStore(), shared: true }
  await fill(store, 25, { people: 10, question: 'Deploy?' })
  const desk = createDesk({ store, access: bearerAccess({ tokens: principal => ({ principal }) }) })
  const { url } = await desk.listen()
  const call = async (path: string, init?: RequestInit) => {
    const headers = { authorization: 'Bearer p3', 'content-type': 'application/json' }
    return (await fetch(`${url}api/${path}`, { ...init, headers })).json()
  }

  const sessions = async () => {
    const { asks }: { asks: { session: string }[] } = await call('asks')
    return asks.map(({ session }) => session).sort()
  }

  expect(await sessions()).toEqual(['f13', 'f23', 'f3'])
  expect(await call('asks/f13/r13')).toMatchObject({ id: 'r13', message: 'Deploy?', status: 'open' })
  await call('asks/f13/r13/answer', { method: 'POST' })
  expect(await sessions()).toEqual(['f23', 'f3'])

  await desk.close()
  await store.close()
})
