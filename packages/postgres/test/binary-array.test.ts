import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bigintArray, booleanArray, doubleArray, integerArray, textArray } from '../src/binary-array.js'
import { url } from './database.js'

const orNull = <T>(value: fc.Arbitrary<T>) => fc.array(fc.option(value, { freq: 4 }), { maxLength: 6 })
/** The database has texts of all characters but this one. */
const text = fc.string({ unit: 'binary' }).map(text => text.replaceAll('\0', ' '))

describe.skipIf(url === undefined)('an array in binary', () => {
  let client: pg.Client

  beforeAll(async () => {
    client = new pg.Client(url)
    await client.connect()
  })
  afterAll(() => client.end())

  async function readBack(type: string, value: Buffer): Promise<unknown> {
    const { rows } = await client.query(`select $1::${type}[] as value`, [value])
    return rows[0].value
  }

  it('is for the database what was given', async () => {
    await fc.assert(
      fc.asyncProperty(
        orNull(text),
        orNull(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
        orNull(fc.maxSafeInteger()),
        orNull(fc.double({ noNaN: true }).map(value => value + 0)),
        fc.array(fc.boolean()),
        async (texts, integers, bigints, doubles, booleans) => {
          expect(await readBack('text', textArray(texts))).toEqual(texts)
          expect(await readBack('integer', integerArray(integers))).toEqual(integers)
          const bigintTexts = bigints.map(value => (value === null ? null : `${value}`))
          expect(await readBack('bigint', bigintArray(bigints))).toEqual(bigintTexts)
          expect(await readBack('double precision', doubleArray(doubles))).toEqual(doubles)
          expect(await readBack('boolean', booleanArray(booleans))).toEqual(booleans)
        },
      ),
    )
  })

  it('has numbers among its texts as texts', async () => {
    expect(await readBack('text', textArray(['absent', 3, null, 1.5]))).toEqual(['absent', '3', null, '1.5'])
  })
})
