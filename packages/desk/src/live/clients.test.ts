import { expect, it } from 'vitest'
import { Clients } from './clients.js'

const alice = { principal: 'alice', dialect: 'later' } as const
const bob = { principal: 'bob', dialect: 'older' } as const

it('keeps an id for one principal until the last of their connections is over', () => {
  const clients = new Clients()
  expect(clients.claim('c', alice)).toBe(true)
  expect(clients.claim('c', alice)).toBe(true)
  clients.release('c')
  expect(clients.claim('c', bob)).toBe(false)
  clients.release('c')
  expect(clients.claim('c', bob)).toBe(true)
  expect(clients.dialectOf('c', 'alice')).toBeUndefined()
})

it('remembers the dialect of clients that have gone, of so many', () => {
  const clients = new Clients()
  for (let count = 0; count <= 10_000; count++) {
    clients.claim(`c${count}`, alice)
    clients.release(`c${count}`)
  }
  clients.release('never came')
  expect(clients.dialectOf('c0', 'alice')).toBeUndefined()
  expect(clients.dialectOf('c1', 'alice')).toBe('later')
  expect(clients.dialectOf('c1', 'bob')).toBeUndefined()
})
