import { expect, it } from 'vitest'
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
