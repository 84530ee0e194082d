// Whose a session is that a program finds by its name, which anybody may guess.
import { createTestClock } from 'beckon/test'
import { expect, it, onTestFinished } from 'vitest'
import { createParts } from '../desk-parts.js'
import { openSession } from './desk-session.js'

function start() {
  const parts = createParts({ clock: createTestClock() })
  onTestFinished(() => parts.close())
  const wanted = { id: 'release-7', title: 'Release 7', server: 'ci' }
  return {
    squat: (principal: string) =>
      parts.actions.createSession({ principal, device: 'd' }, wanted.id, { title: 'Release 7', server: 'ci' }),
    find: (owner?: string) => openSession(parts.turns, { ...wanted, owner }),
  }
}

it('is not taken from a person who made one of the same name first, and so would own it', async () => {
  const { squat, find } = start()
  expect(await squat('mallory')).toMatchObject({ kind: 'accepted' })
  // Else Mallory would end its turns, and Alice, who called, would be one of those who accept.
  await expect(find('alice')).rejects.toMatchObject({ refusal: { code: 'session-exists' } })
  await expect(find()).rejects.toMatchObject({ refusal: { code: 'session-exists' } })
})

it('is found again where it is of the same owner, or of nobody', async () => {
  const { squat, find } = start()
  await find('alice')
  expect((await find('alice')).id).toBe('release-7')
  await expect(find('bob')).rejects.toMatchObject({ refusal: { code: 'session-exists' } })
  expect(await squat('mallory')).toMatchObject({ kind: 'refused', code: 'session-exists' })

  const other = start()
  await other.find()
  expect((await other.find()).id).toBe('release-7')
})
