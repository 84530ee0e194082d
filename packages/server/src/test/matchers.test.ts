import { expect, it } from 'vitest'
import type { Asked } from './index.js'
import './vitest.js'

const asked: Asked[] = [
  { kind: 'confirm', message: 'Remove 5?', key: undefined, tool: 'clear', outcome: { action: 'accept', content: {} } },
  {
    kind: 'url',
    message: 'Pay',
    key: 'pay',
    tool: 'buy',
    url: 'https://a.example',
    elicitationId: 'x',
    outcome: undefined,
  },
]
const client = { asked }

it('knows what was asked', () => {
  expect(client).toHaveAsked('Remove 5?')
  expect(client).toHaveAsked(/^Remove \d/)
  expect(client).toHaveAsked({ kind: 'url', url: expect.stringContaining('a.example') })
  expect(client).toHaveAsked({ message: /5/, outcome: { action: 'accept', content: {} } })
  expect(client).not.toHaveAsked('Remove')
  expect(client).not.toHaveAsked({ kind: 'url', key: 'other' })
  expect(client).toHaveAskedTimes(2)
  expect(client).not.toHaveAskedTimes(1)
})

it('says what was asked instead', () => {
  expect(() => expect(client).toHaveAsked({ message: /x/ })).toThrow(
    'expected an ask with {"message":"/x/"}. Asked were:\n  "clear" asked "Remove 5?" (confirm)\n  "buy" asked "Pay" (url, key "pay")',
  )
  expect(() => expect(client).not.toHaveAsked('Pay')).toThrow('expected not an ask with')
  expect(() => expect({ asked: [] }).toHaveAskedTimes(1)).toThrow('expected 1 asks, and there were 0: nothing')
  expect(() => expect({}).toHaveAsked('x')).toThrow('for a test client')
})

it('knows results', () => {
  const result = {
    content: [
      { type: 'text', text: 'a' },
      { type: 'image', data: '' },
      { type: 'text', text: 'b' },
    ],
  }
  expect(result).toHaveText('a\nb')
  expect(result).toHaveText(/b$/)
  expect(result).not.toHaveText('a')
  expect(result).not.toBeToolError()
  expect({ ...result, isError: true }).toBeToolError()
  expect({ ...result, isError: true }).toBeToolError('b')
  expect({ ...result, isError: true }).toBeToolError(/^a/)
  expect({ ...result, isError: true }).not.toBeToolError('c')
  expect({ contents: [{ uri: 'x:', text: 'c' }] }).toHaveText('c')
  expect({ messages: [{ role: 'user', content: { type: 'text', text: 'm' } }] }).toHaveText('m')
  expect(undefined).toHaveText('')
  expect(() => expect(result).toBeToolError(/x/)).toThrow(
    'expected a tool\'s error with /x/, and got a result with "a\\nb"',
  )
  expect(() => expect(result).toHaveText('x')).toThrow('expected the text "x", and got "a\\nb"')
})
