// `npm run faults`: the long form of the fault runs, with several seeds for each store.
// `npm run faults -- postgres 300 12345 12346`: one store, so many calls in each run, these seeds.
// `npm run faults -- upgrade v1.2.0 100 12345`: on Postgres with that version, as git knows it, beside this one: each process that is
// killed comes back as the other version.
// `npm run faults -- desk postgres 100 12345`: the same with desks and so many asks; without a store, on each.
// `npm run faults -- patroni 20 12345`: several servers, whose primary is lost so many times in each run, while calls and a desk go on;
// also `standby` (two Postgres), `sentinel` and `cluster`. `npm run faults -- unsafe patroni 20`: what is lost where nobody waits for
// another server before an answer is acknowledged. `npm run faults -- fewer sentinel 20`: where one of the others is not waited for.
// `patroni:kill,cut`: lost in these ways alone.

import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { buildOlderVersion } from './older-version.mjs'
import { hasNamespaces, inOwnNetwork } from './services/private-network.mjs'
import { ensureServices } from './services/services.mjs'
import { describe } from './tally.mjs'

const runs = 5

const given = process.argv.slice(2)
const mode = ['desk', 'fewer', 'unsafe', 'upgrade'].includes(given[0] ?? '') ? given.shift() : undefined
const olderVersion = mode === 'upgrade' ? (given.shift() ?? 'HEAD~1') : undefined
const [name, count, ...chosen] = mode === 'upgrade' ? ['postgres', ...given] : given
const [store, ways] = name?.split(':') ?? []
/** @param {number} times */
const seedsFor = times =>
  chosen.length > 0 ? chosen.map(Number) : Array.from({ length: times }, (_, run) => (Date.now() + run) % 1_000_000)
if (!(await ensureInstalled()) || !(await ensureBuilt())) process.exit(1)
await ensureServices()
// Where it can be had: several runs at once take no ports from each other, and the servers of Patroni are machines of their own.
if (hasNamespaces()) await inOwnNetwork()
// They use what was built.
const { runFaultSuite, stores } = await import('../faults/suite.mjs')
const { runDeskFaultSuite } = await import('../faults/desk/suite.mjs')
const { failoverSets, runFailoverSuite } = await import('../faults/failover/suite.mjs')
/** @param {readonly import('../faults/store-under-test.mjs').StoreKind[]} all */
const chosenOf = all => all.filter(each => store === undefined || each === store)

async function run() {
  const failing = chosenOf(failoverSets)
  const waitsFor = mode === 'unsafe' ? 'none' : mode === 'fewer' ? 'fewer' : 'all'
  if (waitsFor !== 'all' || (store !== undefined && failing.length > 0))
    return runFailoverSuite({
      failovers: Number(count ?? 20),
      only: failing,
      seeds: seedsFor(1),
      waitsFor,
      ways: ways?.split(','),
    })
  const size = Number(count ?? (mode === 'desk' ? 100 : 300))
  const options = { kills: Math.ceil(size / 12), only: chosenOf(stores), seeds: seedsFor(runs) }
  if (mode === 'desk') return runDeskFaultSuite({ asks: size, ...options })
  return runFaultSuite({ calls: size, ...options, older: older && join(older.folder, 'faults/node.mjs') })
}

const older = olderVersion === undefined ? undefined : await buildOlderVersion(olderVersion)
const tally = await run()
await older?.remove()
console.log(describe(tally))
process.exitCode = tally.failed > 0 ? 1 : 0
