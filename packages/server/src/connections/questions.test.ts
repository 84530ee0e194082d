import { describe, expect, it, vi } from 'vitest'
import { Questions } from './questions.js'

describe('the questions of a connection', () => {
  const answers = () => ({ answered: vi.fn(), failed: vi.fn() })

  it('are withdrawn when nobody answers them in time', () => {
    const told: unknown[] = []
    const questions = new Questions(undefined, (message, related) => told.push([related, message]))
    const [soon, late] = [answers(), answers()]
    questions.ask('roots/list', {}, { related: 7, timeoutMs: -1, listener: soon })
    questions.ask('roots/list', {}, { related: 8, timeoutMs: 60_000, listener: late })
    told.length = 0
    questions.expire(Date.now())
    expect(soon.failed.mock.calls).toMatchObject([[{ message: 'Request timed out' }]])
    expect(told).toMatchObject([[7, { method: 'notifications/cancelled', params: { requestId: 0 } }]])
    expect(late.failed).not.toHaveBeenCalled()
  })

  it('end without a word when it is closed', () => {
    const tell = vi.fn()
    const questions = new Questions('node', tell)
    const [open, withdrawn] = [answers(), answers()]
    questions.ask('roots/list', {}, { related: 7, timeoutMs: 1, listener: open })
    const withdraw = questions.ask('roots/list', {}, { related: 7, timeoutMs: 1, listener: withdrawn })
    expect(tell.mock.calls.map(([{ id }]) => id)).toEqual(['node.0', 'node.1'])
    questions.close(new Error('closed'))
    withdraw()
    expect(open.failed).toHaveBeenCalledOnce()
    expect(withdrawn.failed).toHaveBeenCalledOnce()
    expect(tell).toHaveBeenCalledTimes(2)
    expect(() => questions.ask('roots/list', {}, { related: 7, timeoutMs: 1, listener: open })).toThrow('Not connected')
  })
})
