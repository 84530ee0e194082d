import { describe, expect, it } from 'vitest'
import { textStorage } from './storage.js'

const credentials = { sessionId: 's', resumeToken: 't' }

function texts(values: Map<string, string> = new Map()) {
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
}

describe('the storage of a page', () => {
  it('gives back what was saved, and nothing once that is forgotten', () => {
    const values = new Map<string, string>()
    const storage = textStorage(() => texts(values), 'key')
    expect(storage.load()).toBeUndefined()
    storage.save(credentials)
    expect([...values.keys()]).toEqual(['key'])
    expect(textStorage(() => texts(values), 'key').load()).toEqual(credentials)
    storage.save(undefined)
    expect(storage.load()).toBeUndefined()
  })

  it('gives back what was left unanswered, and nothing that cannot be a request', () => {
    const values = new Map<string, string>()
    const storage = textStorage(() => texts(values), 'key')
    storage.save({ ...credentials, unanswered: [1, 'two'] })
    expect(storage.load()).toEqual({ ...credentials, unanswered: [1, 'two'] })
    values.set('key', JSON.stringify({ ...credentials, unanswered: [1, null] }))
    expect(storage.load()).toEqual(credentials)
  })

  it.each(['', '{', '7', 'null', '[]', '{}', '{"sessionId":"s"}', '{"sessionId":1,"resumeToken":2}'])(
    'takes %j for nothing',
    text => {
      expect(textStorage(() => texts(new Map([['key', text]])), 'key').load()).toBeUndefined()
    },
  )

  it('is in memory where the browser has none', () => {
    const storage = textStorage(() => {
      throw new Error('SecurityError')
    }, 'key')
    expect(storage.load()).toBeUndefined()
    storage.save(credentials)
    expect(storage.load()).toEqual(credentials)
  })
})
