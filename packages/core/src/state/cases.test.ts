import { deepStrictEqual } from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { reduceChat, reduceSessionSummary } from './chat/index.js'
import { reduceSession } from './session-0.3/index.js'

const cases = new URL('../../fixtures/reduce/', import.meta.url)

describeCases('session-0.3', reduceSession)
describeCases('chat', reduceChat)
describeCases('session-summary', reduceSessionSummary)

function describeCases<S, A>(folder: string, reduce: (state: S, action: A, at: number) => S): void {
  describe(folder, () => {
    for (const file of readdirSync(new URL(`${folder}/`, cases))) {
      const text = readFileSync(new URL(`${folder}/${file}`, cases), 'utf8')
      const { description, at, initial, actions, expected } = JSON.parse(text, (_, value) => Object.freeze(value))
      it(`${file}: ${description}`, () => {
        let state: S = initial
        for (const action of actions) state = deepFreeze(reduce(state, action, at))
        deepStrictEqual(state, expected)
        if (JSON.stringify(expected) === JSON.stringify(initial)) expect(state).toBe(initial)
      })
    }
  })
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(deepFreeze)
  }
  return value
}
