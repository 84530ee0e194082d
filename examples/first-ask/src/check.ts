// The same server and tool, with answers from a script, over both eras of the protocol.
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { Form } from '@beckon/core'
import { askOnce } from './ask-once.js'
import { createCafe } from './server.js'
import type { Outcome } from './terminal.js'

const order: Outcome = { action: 'accept', content: { drink: 'espresso', cups: 2, extras: ['sugar'], name: 'Ada' } }
const isConfirm = (form: Form) => Object.keys(form.properties).length === 0

/** Someone who reads the question: an answer that came at once would not count as a person's. */
const person =
  (decide: (form: Form) => Outcome) =>
  async (_message: string, form: Form): Promise<Outcome> => {
    await setTimeout(1_000)
    return decide(form)
  }

const server = createCafe()
const { url } = await server.listen({ port: 0 })
try {
  for (const era of ['modern', 'legacy'] as const) {
    const accepted = await askOnce(
      url,
      era,
      person(form => (isConfirm(form) ? { action: 'accept' } : order)),
    )
    assert.match(accepted, /^Order \d+: 2 espresso for Ada\. Coming up\.$/)
    const declined = await askOnce(
      url,
      era,
      person(form => (isConfirm(form) ? { action: 'decline' } : order)),
    )
    assert.equal(declined, 'Nothing ordered.')
    assert.equal(
      await askOnce(
        url,
        era,
        person(() => ({ action: 'cancel' })),
      ),
      'No coffee today.',
    )
  }
} finally {
  await server.close()
}
console.log('first-ask: ok')
