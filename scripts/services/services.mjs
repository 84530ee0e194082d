// What tests need beyond npm. A test finds each under a name in the environment, and is skipped where that is not set. What
// the caller set is used as it is.

import { canInstall, installPackages } from './apt.mjs'
import { findChromium, findHeadlessShell } from './chromium.mjs'
import { findNginx } from './nginx.mjs'
import { findPostgres, startPostgres } from './postgres.mjs'
import { findRedis, startRedis } from './redis.mjs'

/**
 * @typedef {object} Service
 * @property {string} name
 * @property {string} variable where tests find it
 * @property {string[]} packages of Debian
 * @property {() => string | undefined} find
 * @property {() => string | undefined} [findBetter] installed where that can be done, also where `find` finds something
 * @property {() => Promise<import('./server-process.mjs').TestServer>} [start] a program that is not a server has none
 */

/** @type {readonly Service[]} */
export const services = [
  {
    name: 'Postgres',
    variable: 'BECKON_TEST_POSTGRES',
    packages: ['postgresql'],
    find: findPostgres,
    start: startPostgres,
  },
  { name: 'Redis', variable: 'BECKON_TEST_REDIS', packages: ['redis-server'], find: findRedis, start: startRedis },
  {
    name: 'chromium',
    variable: 'BECKON_TEST_CHROMIUM',
    packages: ['chromium-headless-shell', 'fonts-liberation'],
    find: () => findHeadlessShell() ?? findChromium(),
    findBetter: findHeadlessShell,
  },
  {
    name: 'chromium with its password manager',
    variable: 'BECKON_TEST_FULL_CHROMIUM',
    packages: ['chromium', 'fonts-liberation'],
    find: findChromium,
  },
  { name: 'nginx', variable: 'BECKON_TEST_NGINX', packages: ['nginx-light'], find: findNginx },
]

/** Installs the services that are missing, where that can be done. */
export async function ensureServices() {
  const missing = services.filter(
    ({ variable, find, findBetter = find }) => !process.env[variable] && findBetter() === undefined,
  )
  if (missing.length > 0 && canInstall()) await installPackages(missing.map(({ packages }) => packages))
}

/**
 * The services that are neither in the environment nor on this machine.
 * @param {readonly Service[]} [among]
 */
export function missingServices(among = services) {
  return among.filter(({ variable, find }) => !process.env[variable] && find() === undefined)
}

/**
 * A line for the end of a test run.
 * @param {Service} service
 */
export function describeMissing({ name, variable }) {
  return `- ${name}: not found, its suites are skipped. Install it, or set ${variable}.`
}

/**
 * Starts those services that are not in the environment, and puts them there.
 * @param {readonly Service[]} wanted
 * @returns {Promise<() => Promise<void>>} ends what was started
 */
export async function provideServices(wanted) {
  /** @type {(() => Promise<void>)[]} */
  const undo = []
  await Promise.all(
    wanted.map(async ({ variable, find, start }) => {
      const program = find()
      if (process.env[variable] || program === undefined) return
      const server = await start?.()
      process.env[variable] = server?.url ?? program
      undo.push(async () => {
        delete process.env[variable]
        await server?.end()
      })
    }),
  )
  return async () => {
    await Promise.all(undo.map(run => run()))
  }
}
