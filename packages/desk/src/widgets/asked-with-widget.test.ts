import { formOf } from '@beckon/core'
import { expect, it, onTestFinished } from 'vitest'
import { createDesk } from '../index.js'

const form = formOf({ type: 'object', properties: { ok: { type: 'boolean', title: 'OK' } }, required: ['ok'] })

async function setUp() {
  const desk = createDesk()
  onTestFinished(() => desk.close())
  const ask = (html: string, data: string) =>
    desk.open(
      { server: 'bank', call: 'c' },
      { id: 'transfers', message: 'Approve these?', form, widget: { name: 'transfers', html, data } },
      { expiresAt: Date.now() + 60_000 },
    )
  return { desk, ask }
}

it('is the same ask with the page of another version, and another with other data', async () => {
  const { ask } = await setUp()
  const { id } = await ask('<p>version 1', 'ten to Ann')
  expect(await ask('<p>version 2', 'ten to Ann')).toMatchObject({ id })
  await expect(ask('<p>version 1', 'ten to Bob')).rejects.toThrow()
})

it('has in the audit what its widget was given', async () => {
  const { desk, ask } = await setUp()
  await ask('<p>', 'ten to Ann')
  const [asked] = await desk.audit.query()
  expect(asked).toMatchObject({
    event: 'asked',
    shown: { text: { widget: { name: 'transfers', data: 'ten to Ann' } } },
  })
})
