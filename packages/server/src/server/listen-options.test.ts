import { expect, it } from 'vitest'
import { listenOptions } from './listen-options.js'

it.each([
  [{}, [], undefined],
  [{}, ['--http'], {}],
  [{}, ['--http=3000'], { port: 3000 }],
  [{}, ['--http', '3000'], { port: 3000 }],
  [{}, ['--http', '--verbose'], {}],
  [{ port: 4000 }, ['--http=3000'], { port: 4000 }],
  [{ host: '::1' }, [], { host: '::1' }],
])('takes %j and %j for %j', (given, argv, expected) => {
  expect(listenOptions(given, argv)).toEqual(expected)
})

it.each(['abc', '', '30x', '-1'])('refuses --http=%s', port => {
  expect(() => listenOptions({}, [`--http=${port}`])).toThrow(`not "${port}"`)
})
