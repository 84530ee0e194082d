import { UriTemplate as OfTheSdk } from '@modelcontextprotocol/server'
import { expect, it } from 'vitest'
import { UriTemplate } from './uri-template.js'

it.each([
  ['notes://{id}', 'notes://5', { id: '5' }],
  ['notes://{id}', 'notes://5/6', undefined],
  ['notes://{id}', 'notes://', undefined],
  ['notes://{id}/pages/{page}', 'notes://a/pages/b%20c', { id: 'a', page: 'b%20c' }],
  ['file:///{+path}', 'file:///a/b.txt', { path: 'a/b.txt' }],
  ['a:b{/one}', 'a:b/c', { one: 'c' }],
  ['a:b{.kind}', 'a:b.json', { kind: 'json' }],
  ['a:b{?from,to}', 'a:b?from=1&to=2', { from: '1', to: '2' }],
  ['a:b{?from,to}', 'a:b?to=2', undefined],
  ['a:b?c=1{&d}', 'a:b?c=1&d=2', { d: '2' }],
  ['a:{list*}', 'a:b,c', { list: 'b,c' }],
  ['a:(b)+{id}', 'a:(b)+1', { id: '1' }],
])('matches %s with %s, as the SDK does', (template, uri, expected) => {
  expect(new UriTemplate(template).match(uri)).toEqual(expected)
  const vars = new OfTheSdk(template).match(uri)
  const texts = vars && Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, String(value)]))
  expect(texts ?? undefined).toEqual(expected)
})

it('matches several variables in one expression, which the SDK does not', () => {
  expect(new UriTemplate('map:{x,y}').match('map:1024,768')).toEqual({ x: '1024', y: '768' })
})

it('knows a template', () => {
  expect(['a:b', 'a:{b}', 'a:{ }'].map(uri => UriTemplate.isTemplate(uri))).toEqual([false, true, false])
  expect(() => new UriTemplate('a:{b}{c')).toThrow('{ without its }')
})
