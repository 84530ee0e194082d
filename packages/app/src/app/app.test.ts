import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { app } from '../index.js'
import { Offer } from './offer.js'

function offer(): Offer {
  return new Offer({ id: 'todo', name: 'Todos' })
}

describe('the identity of an app', () => {
  it.each(['', 'Todo', '1todo', 'to-do', 'to do', '_todo', 'tesseron', 'mcp', 'system', 'tesseron__x'])(
    'is not %j',
    id => {
      expect(() => app({ id, name: 'Todos' })).toThrow(TypeError)
    },
  )

  it('has a name', () => {
    expect(() => app({ id: 'todo', name: ' ' })).toThrow(TypeError)
  })

  it.each(['', 'a b', 'ä', 'a/b', 'x'.repeat(65)])('does not go with an action or a resource named %j', name => {
    const todo = app({ id: 'todo', name: 'Todos' })
    expect(() => todo.action(name)).toThrow(TypeError)
    expect(() => todo.resource(name)).toThrow(TypeError)
  })
})

describe('an action', () => {
  it.each([
    ['Zod', z.object({ n: z.number() })],
    ['ArkType', type({ n: 'number' })],
  ])('is announced with the JSON Schema of its %s schema', (_library, schema) => {
    const todos = offer()
    todos
      .draftAction('act')
      .input(schema)
      .output(schema)
      .handler(() => ({ n: 1 }))
    const expected = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
    expect(todos.actions.get('act')?.announced).toMatchObject({ inputSchema: expected, outputSchema: expected })
  })

  it('whose schema cannot describe itself takes any object, or what is given beside it', () => {
    const todos = offer()
    const schema = v.object({ n: v.number() })
    todos
      .draftAction('bare')
      .input(schema)
      .handler(() => {})
    todos
      .draftAction('described')
      .input(schema, { type: 'object', title: 'N' })
      .handler(() => {})
    expect(todos.actions.get('bare')?.announced.inputSchema).toEqual({ type: 'object' })
    expect(todos.actions.get('described')?.announced.inputSchema).toEqual({ type: 'object', title: 'N' })
  })

  it('tells its input from its output where a schema transforms', () => {
    const todos = offer()
    const schema = z.object({ n: z.string().transform(Number) })
    todos
      .draftAction('act')
      .input(schema)
      .handler(() => {})
    expect(todos.actions.get('act')?.announced.inputSchema).toMatchObject({ properties: { n: { type: 'string' } } })
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('has no timeout of %d', ms => {
    expect(() => offer().draftAction('act').timeout({ ms })).toThrow(RangeError)
  })

  it('can share its first steps with another', () => {
    const todos = offer()
    const base = todos.draftAction('act').annotate({ destructive: true })
    base
      .describe('One')
      .annotate({ requiresConfirmation: true })
      .handler(() => 1)
    expect(todos.actions.get('act')?.announced).toMatchObject({
      description: 'One',
      annotations: { destructive: true, requiresConfirmation: true },
    })
    base.handler(() => 2)
    expect(todos.actions.get('act')?.announced).toMatchObject({ description: '', annotations: { destructive: true } })
  })

  it('is removed by who offered it, and not by who offered it before', () => {
    const todos = offer()
    const first = todos.draftAction('act').handler(() => 1)
    const second = todos.draftAction('act').handler(() => 2)
    first.remove()
    expect(todos.actions.has('act')).toBe(true)
    second.remove()
    expect(todos.actions.has('act')).toBe(false)
  })
})

describe('what an app offers', () => {
  it('is told once for all that changed together', async () => {
    const todos = offer()
    const changes: string[] = []
    const stop = todos.watch(change => changes.push(change))
    todos.draftAction('a').handler(() => 1)
    todos.draftAction('b').handler(() => 1)
    const resource = todos
      .draftResource('r')
      .describe('R')
      .read(() => 1)
    await Promise.resolve()
    expect(changes).toEqual(['actions', 'resources'])
    resource.remove()
    resource.remove()
    await Promise.resolve()
    expect(changes).toEqual(['actions', 'resources', 'resources'])
    stop()
    todos.draftAction('c').handler(() => 1)
    await Promise.resolve()
    expect(changes).toHaveLength(3)
  })

  it('has a resource from the moment that it can be read or followed', () => {
    const todos = offer()
    const draft = todos.draftResource('r').describe('R')
    draft.remove()
    expect(todos.resources.size).toBe(0)
    const followed = draft.subscribe(() => () => {})
    expect(todos.resources.get('r')?.announced).toEqual({ name: 'r', description: 'R', subscribable: true })
    const other = todos.draftResource('r').read(() => 1)
    followed.remove()
    expect(todos.resources.get('r')?.announced.subscribable).toBe(false)
    other.remove()
    expect(todos.resources.size).toBe(0)
  })
})
