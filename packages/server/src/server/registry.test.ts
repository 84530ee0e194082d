import { expect, it } from 'vitest'
import { z } from 'zod'
import { Registry } from './registry.js'

it('matches no template with a URI that would keep everyone waiting', () => {
  const registry = new Registry()
  registry.addResource('tree://{+a}/{+b}/{+c}/end', [], { name: 'tree' }, ({ uri }) => uri)
  expect(registry.findResource('tree://a/b/c/end')?.vars).toEqual({ a: 'a', b: 'b', c: 'c' })
  expect(registry.findResource(`tree://${'x/'.repeat(20_000)}`)).toBeUndefined()
  const long = `note://${'x'.repeat(3_000)}`
  registry.addResource(long, [], { name: 'note' }, ({ uri }) => uri)
  expect(registry.findResource(long)?.vars).toEqual({})
})

const handler = () => 'done'
const withDesk = () => new Registry({ hasDesk: true })

it.each([
  [
    'an annotation by the SDK’s name',
    { annotations: { destructiveHint: true } },
    /annotation "destructiveHint".*Write destructive\./,
  ],
  [
    'an annotation that there is not',
    { annotations: { dangerous: true } },
    /Write one of title, readOnly, destructive/,
  ],
  [
    'the fields of a schema instead of the schema',
    { input: { a: z.string() } },
    /`input` that is not a schema.*z\.object/,
  ],
  ['a JSON Schema of something else', { output: { type: 'string' } }, /`output` that is not a schema of an object/],
  [
    'a schema of a list',
    { output: z.array(z.number()) },
    /`output` that is not a schema of an object.*Put the array in/,
  ],
  ['a schema of a text', { input: z.string() }, /`input` that is not a schema of an object.*z\.object/],
  ['an approval that is no object', { approval: true }, /`approval` must be an object with some of audience, quorum/],
  ['an approval that says nothing', { approval: {} }, /`approval` is empty/],
  ['an option that an approval has not', { approval: { groups: ['leads'] } }, /`approval` has no option "groups"/],
  ['an audience of nobody', { approval: { audience: {} } }, /names nobody. List at least one principal or group/],
  ['a group in place of a list', { approval: { audience: { groups: 'leads' } } }, /lists of strings/],
])('refuses %s where a tool is registered', (_, config, message) => {
  expect(() => withDesk().addTool('tool', [], config as never, handler)).toThrow(message)
})

it('refuses a tool without a handler', () => {
  expect(() => withDesk().addTool('tool', [], {}, undefined as never)).toThrow('has no handler')
})
