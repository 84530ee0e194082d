import { describe, expect, it } from 'vitest'
import { Failures, networkOf } from './failures.js'

describe('failures', () => {
  it('are forgotten when their minute is over', () => {
    const clock = { at: 0, now: () => clock.at }
    const failures = new Failures(clock)
    for (let index = 0; index < 10; index++) failures.record('10.0.0.1', `${index}`)
    expect(failures.blockedForMs('10.0.0.1')).toBe(60_000)
    expect(failures.blockedForMs('10.0.0.2')).toBeUndefined()
    clock.at = 60_000
    expect(failures.blockedForMs('10.0.0.1')).toBeUndefined()
    failures.record('10.0.0.1', 'again')
    expect(failures.blockedForMs('10.0.0.1')).toBeUndefined()
  })

  it('are kept for so many addresses, the latest ones', () => {
    const failures = new Failures({ now: () => 0 })
    for (let index = 0; index < 10; index++) failures.record('first', `${index}`)
    for (let index = 0; index < 9_999; index++) failures.record(`address-${index}`, 'guess')
    expect(failures.blockedForMs('first')).toBe(60_000)
    failures.record('one too many', 'guess')
    expect(failures.blockedForMs('first')).toBeUndefined()
  })

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2::9', '2001:db8:1:2'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
    ['2001:db8::9', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['', ''],
  ])('of %s count for %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
