import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { remoteDeskFrom } from './remote-desk.js'

it('does not tell the token where the address of a desk is written wrong', () => {
  try {
    remoteDeskFrom('https//shop:the-secret-token@desk.example')
    expect.unreachable()
  } catch (error) {
    expect(inspect(error)).toContain('is no URL')
    expect(inspect(error)).not.toContain('the-secret-token')
  }
})
