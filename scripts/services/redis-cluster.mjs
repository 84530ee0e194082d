import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { findProgram } from './find-program.mjs'
import { findRedis, startRedis } from './redis.mjs'

/** Whether a Cluster can be started here. */
export function hasRedisCluster() {
  return findRedis() !== undefined && findCli() !== undefined
}

/**
 * Starts a Redis Cluster of three masters.
 * @returns {Promise<{ nodes: import('./server-process.mjs').TestServer[], end: () => Promise<void> }>}
 */
export async function startRedisCluster() {
  // What is on the other nodes can be had while one is gone.
  const settings = { 'cluster-enabled': 'yes', 'cluster-require-full-coverage': 'no' }
  const nodes = await Promise.all([1, 2, 3].map(() => startRedis({ settings })))
  const end = async () => {
    await Promise.all(nodes.map(node => node.end()))
  }
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`)
  const { code, output } = await cli(['--cluster', 'create', ...addresses, '--cluster-yes'])
  if (code !== 0) {
    await end()
    throw new Error(`The Redis Cluster could not be made:\n${output}`)
  }
  for (const { port } of nodes) {
    while (!(await cli(['-p', `${port}`, 'CLUSTER', 'INFO'])).output.includes('cluster_state:ok')) await setTimeout(50)
  }
  return { nodes, end }
}

/** @param {string[]} args */
async function cli(args) {
  const child = spawn(findCli() ?? '', args)
  let output = ''
  child.stdout.on('data', text => {
    output += text
  })
  const [code] = await once(child, 'close')
  return { code, output }
}

function findCli() {
  return findProgram(['redis-cli', 'valkey-cli'])
}
