import { expect, it } from 'vitest'
import { runHere } from '../test/run-here.js'

it('says its version', async () => {
  expect(await runHere(['--version'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
})

it('refuses a command that it does not have, and says where they are listed', async () => {
  expect(await runHere(['sevre'])).toMatchObject({ code: 2, stderr: expect.stringContaining('beckon --help') })
})
