// What someone does who writes to the database, and what `verify` says of it.
import { generateKeyPairSync, sign } from 'node:crypto'
import type { JsonValue } from 'beckon/store'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Audited, audited } from '../../test/audited.js'

async function five(options?: Parameters<typeof audited>[0]): Promise<Audited & { readonly log: string }> {
  const desk = audited(options)
  await desk.view('0', '1', '2', '3', '4')
  const [log = ''] = await desk.logs()
  return { ...desk, log }
}

async function kinds({ audit }: Audited): Promise<unknown[]> {
  return (await audit.verify()).faults.map(({ kind, place, manifest }) => [kind, place ?? manifest])
}

describe.each([{ isSealed: true }, { isSealed: false }])(
  'an audit that nobody touched (sealed: $isSealed)',
  options => {
    it('is whole, before it is signed and after', async () => {
      const desk = await five(options)
      expect(await desk.audit.verify()).toMatchObject({ isWhole: true, entries: 5, unsignedEntries: 5, manifests: 0 })
      await desk.signHour()
      expect(await desk.audit.verify()).toMatchObject({ isWhole: true, entries: 5, unsignedEntries: 0, manifests: 1 })
      await desk.view('5')
      await desk.signHour()
      await desk.signHour()
      expect(await desk.audit.verify()).toMatchObject({ isWhole: true, entries: 6, unsignedEntries: 0, logs: 2 })
      expect(desk.errors).toEqual([])
    })
  },
)

describe('an entry that was', () => {
  it('deleted shows', async () => {
    const desk = await five()
    await desk.rewrite(desk.log, values => values.toSpliced(2, 1))
    expect(await kinds(desk)).toEqual([['misplaced', 3]])
    expect(await desk.sessions()).toEqual(['0', '1', '3', '4'])
  })

  it('deleted at the end shows once it was signed', async () => {
    const desk = await five()
    await desk.signHour()
    await desk.rewrite(desk.log, values => values.slice(0, 3))
    expect(await kinds(desk)).toEqual([['missing', 5]])
  })

  it('moved shows', async () => {
    const desk = await five()
    await desk.rewrite(desk.log, ([a, b, c, d, e]) => [a, c, b, d, e] as JsonValue[])
    expect(await kinds(desk)).toEqual([
      ['misplaced', 2],
      ['misplaced', 3],
      ['misplaced', 4],
    ])
    expect((await desk.sessions()).sort()).toEqual(['0', '1', '2', '3', '4'])
  })

  it('doubled shows, and is read once', async () => {
    const desk = await five()
    await desk.rewrite(desk.log, values => [...values.slice(0, 3), ...values.slice(2)])
    expect(await kinds(desk)).toEqual([['misplaced', 4]])
    expect(await desk.sessions()).toEqual(['0', '1', '2', '3', '4'])
  })

  it('moved to another log shows', async () => {
    const desk = await five()
    await desk.signHour()
    await desk.view('later')
    const [first = '', second = ''] = await desk.logs()
    const stolen = (await desk.raw.read(first))[0]?.value ?? null
    await desk.rewrite(second, values => [...values, stolen])
    // It was sealed for its own log.
    expect(await kinds(desk)).toEqual([['unreadable', 2]])
    expect(await desk.sessions()).toEqual(['0', '1', '2', '3', '4', 'later'])
  })

  it('changed shows', async () => {
    const desk = await five({ isSealed: false })
    await desk.rewrite(desk.log, values => values.with(3, renamed(values[3])))
    expect(await kinds(desk)).toEqual([['changed', 4]])
    expect(await desk.sessions()).toEqual(['0', '1', '2', '4'])
    expect(desk.errors).toHaveLength(1)
  })

  it.each(['forged', 7, null, [], { v: 1, n: 3, p: '', w: 0, e: {}, h: '' }])(
    'forged as %j shows, and the others are read',
    async forged => {
      for (const isSealed of [true, false]) {
        const desk = await five({ isSealed })
        await desk.rewrite(desk.log, values => values.with(2, forged as JsonValue))
        expect(await kinds(desk)).toEqual([['unreadable', 3]])
        expect(await desk.sessions()).toEqual(['0', '1', '3', '4'])
        expect(desk.errors).toMatchObject([{ message: expect.stringContaining('entry 3') }])
      }
    },
  )

  it('put at the end by somebody else shows, and the node goes on elsewhere', async () => {
    const desk = await five()
    await desk.raw.append(desk.log, ['forged'])
    await desk.view('after')
    expect(await kinds(desk)).toEqual([['unreadable', 6]])
    expect(await desk.sessions()).toEqual(['0', '1', '2', '3', '4', 'after'])
  })
})

describe('a log that', () => {
  it('was deleted shows', async () => {
    const desk = await five()
    await desk.signHour()
    await desk.raw.erase(desk.log)
    expect(await kinds(desk)).toEqual([['missing', 5]])
  })

  it('is not in the list any more shows', async () => {
    const desk = await five()
    await desk.signHour()
    const [listed] = await desk.raw.range('desk/audit/logs', { limit: 1 })
    await desk.raw.remove('desk/audit/logs', listed?.member ?? '')
    expect(await kinds(desk)).toEqual([['unlisted', undefined]])
  })

  it('was written anew, chain and all, shows by its manifest', async () => {
    const desk = await five({ isSealed: false })
    await desk.signHour()
    const other = await five({ isSealed: false })
    const forged = (await other.raw.read(other.log)).map(({ value }) => value)
    await desk.rewrite(desk.log, () => forged)
    expect(await kinds(desk)).toEqual([['changed', 5]])
  })
})

describe('a manifest that', () => {
  const manifests = 'desk/audit/manifests'

  async function signedTwice(isSealed = false) {
    const desk = await five({ isSealed })
    await desk.signHour()
    await desk.view('5')
    await desk.signHour()
    return desk
  }

  it('somebody else signed shows', async () => {
    const desk = await signedTwice()
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    await desk.rewrite(manifests, values => {
      const { text } = values[0] as { text: string }
      const signature = sign(null, Buffer.from(text), privateKey).toString('base64url')
      const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
      return values.with(0, { text, publicKey: spki, signature })
    })
    expect(await kinds(desk)).toEqual([
      ['manifest-foreign', 1],
      ['manifest-misplaced', 2],
    ])
  })

  it('was changed, deleted, or cannot be read shows', async () => {
    const changed = await signedTwice()
    await changed.rewrite(manifests, ([one, two]) => {
      const { text, ...rest } = one as { text: string }
      return [{ ...rest, text: text.replace('"entries":5', '"entries":4') }, two] as JsonValue[]
    })
    expect((await kinds(changed))[0]).toEqual(['manifest-foreign', 1])
    const deleted = await signedTwice()
    await deleted.rewrite(manifests, values => values.slice(1))
    expect((await kinds(deleted))[0]).toEqual(['manifest-misplaced', 1])
    const trimmed = await signedTwice()
    await trimmed.raw.trim(manifests, 1)
    expect(await kinds(trimmed)).toEqual([['manifest-missing', 2]])
    const unreadable = await signedTwice(true)
    await unreadable.rewrite(manifests, values => values.with(0, 'forged'))
    expect((await kinds(unreadable))[0]).toEqual(['manifest-unreadable', 1])
  })

  it('is signed with another key than was noted elsewhere shows', async () => {
    const desk = await signedTwice()
    const { publicKey } = await desk.audit.verify()
    expect(await desk.audit.verify({ publicKey })).toMatchObject({ isWhole: true })
    const other = await (await signedTwice()).audit.verify()
    expect((await desk.audit.verify({ publicKey: other.publicKey })).faults).toHaveLength(2)
  })
})

it('whatever is done to the records of a signed log shows, unless they are what they were', async () => {
  const place = fc.nat({ max: 11 })
  const tampering = fc.oneof(
    fc.record({ kind: fc.constant('delete' as const), at: place }),
    fc.record({ kind: fc.constant('double' as const), at: place, to: place }),
    fc.record({ kind: fc.constant('move' as const), at: place, to: place }),
    fc.record({ kind: fc.constant('change' as const), at: place }),
    fc.record({ kind: fc.constant('cut' as const), at: place }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(tampering, { minLength: 1, maxLength: 4 }), async tricks => {
      const desk = audited({ isSealed: false })
      await desk.view(...Array.from({ length: 12 }, (_, index) => `${index}`))
      await desk.signHour()
      const [log = ''] = await desk.logs()
      const before = (await desk.raw.read(log)).map(({ value }) => value)
      let after = before
      for (const trick of tricks) {
        const one = after[trick.at]
        if (one === undefined) continue
        if (trick.kind === 'delete') after = after.toSpliced(trick.at, 1)
        if (trick.kind === 'double') after = after.toSpliced(trick.to, 0, one)
        if (trick.kind === 'move') after = after.toSpliced(trick.at, 1).toSpliced(trick.to, 0, one)
        if (trick.kind === 'change') after = after.with(trick.at, renamed(one))
        if (trick.kind === 'cut') after = after.slice(0, trick.at)
      }
      await desk.rewrite(log, () => after)
      const isSame = JSON.stringify(after) === JSON.stringify(before)
      expect((await desk.audit.verify()).isWhole).toBe(isSame)
      await desk.audit.close()
    }),
    { numRuns: 60 },
  )
})

/** The record of something else. */
function renamed(value: JsonValue | undefined): JsonValue {
  const record = value as { e: { session: string } }
  return { ...record, e: { ...record.e, session: `${record.e.session}, changed` } }
}
