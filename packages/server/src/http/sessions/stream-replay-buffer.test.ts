import { describe, expect, it } from 'vitest'
import { StreamReplayBuffer } from './stream-replay-buffer.js'

describe('the log of a stream', () => {
  it('gives what came after an event', () => {
    const log = new StreamReplayBuffer('3')
    expect(log.prime(5)).toBe('id: 3-1\nretry: 5\ndata: \n\n')
    const [one, two] = [log.append('{"a":1}', false), log.append('{"b":1}', true)]
    expect(one).toBe('id: 3-2\nevent: message\ndata: {"a":1}\n\n')
    expect([...log.after(1)]).toEqual([one, two])
    expect([...log.after(2)]).toEqual([two])
    expect([...log.after(3)]).toEqual([])
    expect(log.last).toBe(3)
  })

  it('drops notifications before questions, and never the newest', () => {
    const log = new StreamReplayBuffer('1')
    const question = log.append('"question"', false)
    for (let count = 0; count < 2_000; count += 1) log.append('"notification"', true)
    expect([...log.after(0)]).toHaveLength(1_000)
    expect([...log.after(0)][0]).toBe(question)
    const huge = log.append(`"${'x'.repeat(2_000_000)}"`, false)
    expect([...log.after(0)]).toEqual([huge])
  })

  it('gives the messages that came after an event as they were sent', () => {
    const log = new StreamReplayBuffer('1', '.node.')
    for (const json of ['"\\ndata: "', '{"a":1}']) log.append(json, false)
    expect(log.messagesAfter(0)).toEqual([
      { json: '"\\ndata: "', isNotification: false },
      { json: '{"a":1}', isNotification: false },
    ])
    expect(log.messagesAfter(1)).toHaveLength(1)
  })
})
