import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { animate, chunksOf } from './apng.mjs'

/** @param {string} name */
const picture = name => readFileSync(new URL(`../docs/screenshots/${name}.png`, import.meta.url))
const [first, second] = [picture('empty-light'), picture('list-light')]
/**
 * @param {ReturnType<typeof chunksOf>} chunks
 * @param {string} type
 */
const dataOf = (chunks, type) => chunks.filter(chunk => chunk.type === type).map(({ data }) => data)

describe('pictures that move', () => {
  const chunks = chunksOf(
    animate([
      { png: first, ms: 500 },
      { png: second, ms: 250 },
    ]),
  )

  it('have the pixels of each picture, the first for whatever cannot show it move', () => {
    expect(Buffer.concat(dataOf(chunks, 'IDAT'))).toEqual(Buffer.concat(dataOf(chunksOf(first), 'IDAT')))
    const moved = dataOf(chunks, 'fdAT').map(data => data.subarray(4))
    expect(Buffer.concat(moved)).toEqual(Buffer.concat(dataOf(chunksOf(second), 'IDAT')))
  })

  it('number what belongs to a frame, without a gap, and say how long each is shown', () => {
    const numbered = chunks.filter(({ type }) => type === 'fcTL' || type === 'fdAT')
    expect(numbered.map(({ data }) => data.readUInt32BE(0))).toEqual(numbered.map((_, index) => index))
    const controls = dataOf(chunks, 'fcTL')
    expect(controls.map(data => data.readUInt16BE(20) / data.readUInt16BE(22))).toEqual([0.5, 0.25])
    expect(dataOf(chunks, 'acTL').map(data => data.readUInt32BE(0))).toEqual([2])
  })

  it('are of one size', () => {
    const phone = { png: picture('empty-phone'), ms: 1 }
    expect(() => animate([{ png: first, ms: 1 }, phone])).toThrow('differ in size')
    expect(() => animate([])).toThrow(RangeError)
    expect(() => animate([{ png: Buffer.from('GIF89a..'), ms: 1 }])).toThrow('not a PNG')
  })
})
