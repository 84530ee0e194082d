import { createDesk } from '@beckon/desk'
import { createServer } from 'beckon'
import { expect, it, onTestFinished } from 'vitest'
import { openInbox } from '../../test/inbox-person.js'
import { addTools } from './tools.js'
import { createTryIt } from './try-it.js'

it('calls the next tool with each click, whose question appears in the inbox', { timeout: 120_000 }, async () => {
  const desk = createDesk()
  const said: string[] = []
  const { server, click } = await createTryIt({
    desk,
    async serverOn(desk) {
      const made = createServer({ name: 'demo', version: '1.0.0', desk, wait: 'hold' })
      addTools(made, id => `http://127.0.0.1/demo/terms?id=${id}`)
      return made
    },
    say: line => said.push(line),
  })
  onTestFinished(async () => {
    await server.close()
    await desk.close()
  })
  const person = await openInbox((await desk.listen()).link)

  const opened: string[] = []
  const first = click({ opened: session => opened.push(session) })
  const second = click({ opened: session => opened.push(session) })
  const trip = await person.answer('Where shall we go?', { action: 'decline' })
  expect(trip).toMatchObject({ tool: 'plan_trip' })
  expect(opened).toContain(trip.session)
  expect(await second).toBe('No trip.')
  expect(await person.answer('Remove 5', { action: 'accept' })).toMatchObject({ tool: 'clear_completed' })
  expect(await first).toBe('{"removed":5}')
  expect(new Set(opened).size).toBe(2)
  expect(said.slice(0, 2)).toEqual(['Try it: calls clear_completed.', 'Try it: calls plan_trip.'])
  expect(said[2]).toBe('Try it: plan_trip said: No trip.')
  expect(said[3]).toBe('Try it: clear_completed said: {"removed":5}')
})
