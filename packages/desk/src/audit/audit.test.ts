import { memoryStore } from 'beckon'
import { createTestClock } from 'beckon/test'
import { describe, expect, it, vi } from 'vitest'
import { awayStore } from '../../test/away-store.js'
import { Audit, type AuditEntry } from './audit.js'

const weekMs = 7 * 24 * 60 * 60 * 1000

function open(keepMs?: number) {
  const clock = createTestClock()
  const store = awayStore(memoryStore({ clock }))
  const audit = new Audit({ store, name: 'desk', now: () => clock.now(), keepMs })
  const view = (session: string): AuditEntry => ({ event: 'viewed', at: clock.now(), session })
  const sessions = async (page?: Parameters<Audit['entries']>[0]) => {
    const found: string[] = []
    for await (const { entry } of audit.entries(page)) found.push(entry.session)
    return found
  }
  return { clock, store, audit, view, sessions }
}

describe('the audit', () => {
  it('is empty before anything was recorded', async () => {
    const { sessions } = open()
    expect(await sessions()).toEqual([])
  })

  it('is read page by page over the weeks, each entry once, by numbers that grow', async () => {
    const { clock, audit, view, sessions } = open()
    const all: string[] = []
    for (let index = 0; index < 30; index++) {
      all.push(`${index}`)
      await audit.record(view(`${index}`))
      if (index % 7 === 0) await clock.advance(weekMs * (1 + (index % 2)))
    }
    expect(await sessions()).toEqual(all)
    const paged: string[] = []
    for (let after = 0, isOver = false; !isOver; ) {
      isOver = true
      for await (const { number, entry } of audit.entries({ after, limit: 4 })) {
        expect(number).toBeGreaterThan(after)
        after = number
        paged.push(entry.session)
        isOver = false
      }
    }
    expect(paged).toEqual(all)
    expect(await sessions({ since: clock.now() })).toEqual(['29'])
    expect(await sessions({ limit: 0 })).toEqual([])
  })

  it('does not read what came before a page', async () => {
    const { store, audit, view, sessions } = open()
    await audit.record(...Array.from({ length: 3_000 }, (_, index) => view(`${index}`)))
    const last = await lastNumber(audit)
    const read = vi.spyOn(store, 'read')
    expect(await sessions({ after: last - 2, limit: 1 })).toEqual(['2998'])
    expect(read).toHaveBeenCalledTimes(1)
    expect(read.mock.calls[0]?.[1]).toEqual({ after: 2_998, limit: 1 })
  })

  it('forgets weeks that are over, when it is told to', async () => {
    const { clock, audit, view, sessions } = open(2 * weekMs)
    for (let week = 0; week < 6; week++) {
      await audit.record(view(`${week}`))
      await clock.advance(weekMs)
    }
    expect(await sessions()).toEqual(['4', '5'])
    expect((await audit.query()).map(({ session }) => session)).toEqual(['4', '5'])
  })

  it('writes what a store that was away did not take, in order, with what comes next', async () => {
    const { store, audit, view, sessions } = open()
    await audit.record(view('before'))
    store.isAway = true
    await expect(audit.record(view('lost?'))).rejects.toThrow('does not answer')
    await expect(audit.record(view('and this?'))).rejects.toThrow('does not answer')
    store.isAway = false
    await audit.record(view('after'))
    expect(await sessions()).toEqual(['before', 'lost?', 'and this?', 'after'])
  })
})

async function lastNumber(audit: Audit): Promise<number> {
  let last = 0
  for await (const { number } of audit.entries()) last = number
  return last
}
