import { createDesk } from '@beckon/desk'
import { createServer } from 'beckon'
import { expect, it, onTestFinished } from 'vitest'
import { openInbox } from '../../test/inbox-person.js'
import { addTools } from './tools.js'
import { tryIt } from './try-it.js'

it('calls the next tool with each click, whose question appears in the inbox', { timeout: 120_000 }, async () => {
  const desk = createDesk()
  const server = createServer({ name: 'demo', version: '1.0.0', desk, wait: 'hold' })
  onTestFinished(async () => {
    await server.close()
    await desk.close()
  })
  addTools(server, id => `http://127.0.0.1/demo/terms?id=${id}`)
  const person = await openInbox((await desk.listen()).link)
  const said: string[] = []
  const click = tryIt(server, line => said.push(line))

  const first = click()
  const second = click()
  expect(await person.answer('Where shall we go?', { action: 'decline' })).toMatchObject({ tool: 'plan_trip' })
  await second
  expect(await person.answer('Remove 5', { action: 'accept' })).toMatchObject({ tool: 'clear_completed' })
  await first
  expect(said.slice(0, 2)).toEqual(['Try it: calls clear_completed.', 'Try it: calls plan_trip.'])
  expect(said[2]).toBe('Try it: plan_trip said: No trip.')
  expect(said[3]).toBe('Try it: clear_completed said: {"removed":5}')
})
