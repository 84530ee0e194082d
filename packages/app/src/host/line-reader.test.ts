import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LineReader } from './line-reader.js'

it('gives the same lines, however the bytes are cut', () => {
  const line = fc.string({ unit: 'grapheme', minLength: 1 }).map(text => JSON.stringify(text))
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 1, max: 20 }), (lines, size) => {
      const bytes = Buffer.from(lines.map(text => `${text}\n`).join(''))
      const read: string[] = []
      const reader = new LineReader(
        text => read.push(text),
        () => {},
      )
      for (let at = 0; at < bytes.length; at += size) reader.read(bytes.subarray(at, at + size))
      expect(read).toEqual(lines)
    }),
  )
})

it('says once that a line is too long, and reads no more', () => {
  const read: string[] = []
  let isTooLong = 0
  const reader = new LineReader(
    text => read.push(text),
    () => isTooLong++,
  )
  reader.read(Buffer.from('first\n\n \nsecond'))
  for (let i = 0; i < 9; i++) reader.read(Buffer.alloc(1024 * 1024, 'x'))
  reader.read(Buffer.from('\nthird\n'))
  expect(read).toEqual(['first'])
  expect(isTooLong).toBe(1)
})
