import { describe, expect, it, vi } from 'vitest'
import { audited, hourMs } from '../../test/audited.js'
import { awayStore } from '../../test/away-store.js'

const weekMs = 7 * 24 * hourMs

describe('the audit', () => {
  it('is empty before anything was recorded', async () => {
    expect(await audited().sessions()).toEqual([])
  })

  it('is read page by page over the hours, each entry once', async () => {
    const { clock, audit, view, sessions } = audited()
    const expected: string[] = []
    for (let index = 0; index < 30; index++) {
      expected.push(`${index}`)
      await view(`${index}`)
      if (index % 7 === 0) await clock.advance(weekMs * (1 + (index % 2)))
    }
    expect(await sessions()).toEqual(expected)
    const paged: string[] = []
    for (let after: string | undefined, isOver = false; !isOver; ) {
      isOver = true
      for await (const { cursor, entry } of audit.entries({ after, limit: 4 })) {
        after = cursor
        paged.push(entry.session)
        isOver = false
      }
    }
    expect(paged).toEqual(expected)
    expect(await sessions({ since: clock.now() })).toEqual(['29'])
    expect(await sessions({ limit: 0 })).toEqual([])
    await expect(sessions({ after: '17' })).rejects.toThrow('not a cursor')
  })

  it('has what several nodes wrote in the order of writing, and misses nothing between pages', async () => {
    const { clock, audit, open, view } = audited()
    const other = open('b')
    const expected: string[] = []
    for (let index = 0; index < 40; index++) {
      const session = `${index}`
      expected.push(session)
      if (index % 3 === 0) await view(session)
      else {
        const recorded = other.record({ event: 'viewed', at: clock.now(), session })
        await other.written()
        await recorded
      }
      await clock.advance(hourMs / 7)
    }
    const paged: string[] = []
    for (let after: string | undefined; ; ) {
      const page: string[] = []
      for await (const { cursor, entry } of audit.entries({ after, limit: 3 })) {
        after = cursor
        page.push(entry.session)
      }
      paged.push(...page)
      if (page.length === 0) break
    }
    expect(paged).toEqual(expected)
  })

  it('does not read what came before a page', async () => {
    const { raw, audit, view, sessions } = audited()
    await view(...Array.from({ length: 3_000 }, (_, index) => `${index}`))
    const cursors: string[] = []
    for await (const { cursor } of audit.entries()) cursors.push(cursor)
    const read = vi.spyOn(raw, 'read')
    expect(await sessions({ after: cursors.at(-3), limit: 1 })).toEqual(['2998'])
    expect(read.mock.calls.map(([, options]) => options)).toEqual([{ after: 2_998, limit: 1 }])
  })

  it('finds a time in a long log without reading all of it', async () => {
    const { clock, raw, view, sessions } = audited()
    const times: number[] = []
    for (let batch = 0; batch < 20; batch++) {
      times.push(clock.now())
      await view(...Array.from({ length: 500 }, (_, index) => `${batch}.${index}`))
      await clock.advance(60_000)
    }
    const read = vi.spyOn(raw, 'read')
    expect(await sessions({ since: times[18] ?? 0, limit: 1 })).toEqual(['18.0'])
    expect(read.mock.calls.length).toBeLessThan(30)
  })

  it('forgets hours that are over, when it is told to, with their names and what was signed', async () => {
    const { clock, raw, audit, view, sessions, signHour, logs } = audited({ keepMs: 2 * hourMs })
    for (let hour = 0; hour < 6; hour++) {
      await view(`${hour}`)
      await signHour()
    }
    expect(await sessions()).toEqual(['4', '5'])
    expect((await audit.query()).map(({ session }) => session)).toEqual(['4', '5'])
    expect((await logs()).length).toBeLessThan(5)
    expect((await raw.read('desk/audit/manifests')).length).toBeLessThan(5)
    expect(await audit.verify()).toMatchObject({ isWhole: true, faults: [] })
    await clock.advance(10 * hourMs)
    expect(await audit.verify()).toMatchObject({ isWhole: true, faults: [], entries: 0 })
  })

  it('writes what a store that was away did not take, once and in order, with what comes next', async () => {
    const { clock, raw, open } = audited()
    const store = awayStore(raw)
    const audit = open('c', store)
    const record = async (session: string) => {
      const recorded = audit.record({ event: 'viewed', at: clock.now(), session })
      await audit.written()
      return recorded
    }
    await record('before')
    store.isAway = true
    await expect(record('lost?')).rejects.toThrow('does not answer')
    store.isAway = false
    store.isDeaf = true
    await expect(record('and this?')).rejects.toThrow('does not answer')
    await expect(record('and that?')).rejects.toThrow('does not answer')
    store.isDeaf = false
    await record('after')
    const found: string[] = []
    for await (const { entry } of audit.entries()) found.push(entry.session)
    expect(found).toEqual(['before', 'lost?', 'and this?', 'and that?', 'after'])
    expect((await audit.verify()).faults).toEqual([])
  })

  it.each([
    ['refusals', 'rejected', 30],
    ['looks, as another device each time', 'viewed', 300],
  ] as const)('has so many %s of a person in a minute, and one entry for the rest', async (_, event, max) => {
    const { clock, audit } = audited()
    let device = 0
    const record = (principal: string) =>
      audit.record({ event, at: clock.now(), session: 's', by: { principal, device: `d${device++}` } })
    for (let count = 0; count < 500; count++) void record('mallory')
    void record('alice')
    await clock.advance(60_000)
    void record('mallory')
    const entries = await audit.query({ principal: 'mallory' })
    expect(entries).toHaveLength(max + 2)
    expect(entries.filter(({ count }) => count !== undefined)).toMatchObject([{ event, count: 500 - max }])
    expect(await audit.query({ principal: 'alice' })).toHaveLength(1)
  })
})
