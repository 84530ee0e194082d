import { afterEach, describe, expect, it } from 'vitest'
import { describeMissing, missingServices, provideServices } from './services.mjs'

const variable = 'BECKON_TEST_OF_THE_SERVICES'

/** @type {string[]} */
const events = []

/** @type {import('./services.mjs').Service} */
const service = {
  name: 'Sample',
  variable,
  packages: ['sample'],
  find: () => '/bin/sample',
  async start() {
    events.push('started')
    const url = 'sample://127.0.0.1'
    const nothing = async () => {}
    const end = async () => {
      events.push('ended')
    }
    return { url, port: 1, folder: '', pid: () => 1, start: nothing, stop: nothing, kill: nothing, end }
  },
}
const absent = { ...service, find: () => undefined }
const { start: _, ...program } = service

afterEach(() => {
  delete process.env[variable]
  events.length = 0
})

describe('provideServices', () => {
  it('starts a server, says where it is, and ends it', async () => {
    const end = await provideServices([service])
    expect(process.env[variable]).toBe('sample://127.0.0.1')
    await end()
    expect(process.env[variable]).toBeUndefined()
    expect(events).toEqual(['started', 'ended'])
  })

  it('says where a program is that is no server', async () => {
    await provideServices([program])
    expect(process.env[variable]).toBe('/bin/sample')
  })

  it('uses what the caller gave as it is, and leaves it there', async () => {
    process.env[variable] = 'sample://given'
    await (await provideServices([service]))()
    expect(process.env[variable]).toBe('sample://given')
    expect(events).toEqual([])
  })

  it('leaves the variable unset where there is no such program', async () => {
    await provideServices([absent])
    expect(process.env[variable]).toBeUndefined()
    expect(events).toEqual([])
  })
})

describe('missingServices', () => {
  it('names what is neither given nor found', () => {
    expect(missingServices([service])).toEqual([])
    expect(missingServices([absent]).map(describeMissing)).toEqual([
      `- Sample: not found, its suites are skipped. Install it, or set ${variable}.`,
    ])
    process.env[variable] = 'sample://given'
    expect(missingServices([absent])).toEqual([])
  })
})
