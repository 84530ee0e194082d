import { expect, it } from 'vitest'
import { createTestFile } from '../../test/file.js'
import { connect } from './connection.js'
import { migrate } from './migrate.js'

const next = { statements: 'alter table keys add column note text; update keys set note = name' }

it('brings a file to a later version once, whoever is first, with everything that was in it', async () => {
  const file = await createTestFile()
  const store = file.open()
  await store.set('key', 'kept')
  await store.append('log', [1, 2])
  await store.close()
  const connections = Array.from({ length: 3 }, () => connect(file.path, 'full'))
  for (const connection of connections) migrate(connection, file.path, [next])
  const [connection] = connections
  expect(connection?.prepare('select version from migrations order by version').all([])).toMatchObject([
    { version: 1 },
    { version: 2 },
  ])
  expect(connection?.prepare('select name, value, note from keys').all([])).toMatchObject([
    { name: '"key"', value: '"kept"', note: '"key"' },
  ])
  expect(connection?.prepare('select value from entries order by seq').all([])).toMatchObject([
    { value: '1' },
    { value: '2' },
  ])
  for (const each of connections) each.close()
  // What knows only version 1 leaves it alone.
  await expect(file.open().get('key')).rejects.toThrow(/at version 2/)
  await file.remove()
})

it('uses a file of a later version that says that it can be', async () => {
  const file = await createTestFile()
  const store = file.open()
  await store.set('key', 'kept')
  await store.close()
  const connection = connect(file.path, 'full')
  migrate(connection, file.path, [{ ...next, oldest: 1 }])
  connection.close()
  expect(await file.open().get('key')).toMatchObject({ value: 'kept' })
  await file.remove()
})

it('leaves a file as it was when a step fails', async () => {
  const file = await createTestFile()
  await file.open().set('key', 'kept')
  const connection = connect(file.path, 'full')
  expect(() => migrate(connection, file.path, [next, { statements: 'delete from keys; this is no SQL' }])).toThrow()
  connection.close()
  expect(await file.open().get('key')).toMatchObject({ value: 'kept' })
  await file.remove()
})
