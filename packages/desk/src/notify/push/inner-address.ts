// A subscription makes the desk send requests to an address that someone chose. Threat: that address is of the desk's own network
// (SSRF): written as one, or a name that leads there, perhaps only by the time the request is made (DNS rebinding). So the
// address that is connected to is looked at, at the time of the connection.
import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

// One list for each: in one list, IPv4 addresses are looked for among those of IPv6 as well, where all of them stand for something else.
const [inner4, inner6] = [new BlockList(), new BlockList()]
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  inner4.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  inner6.addSubnet(net, prefix, 'ipv6')

/** Whether an IP address is of this machine or an inner network, or may stand for one that is. */
export function isInnerAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return inner4.check(address, 'ipv4')
  return family === 0 || inner6.check(address, 'ipv6')
}

/** Whether the host of a URL is written as an inner address, or can only be a name of an inner one. */
export function isInnerHost({ hostname }: URL): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(bare) !== 0) return isInnerAddress(bare)
  return !bare.includes('.') || /\.(localhost|local|internal|lan|home|corp|intranet|arpa)$/i.test(bare)
}

/** Looks a name up, and finds nothing when any of its addresses is an inner one. */
export const outerLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: readonly LookupAddress[] = []) => {
    const [first] = addresses
    if (error !== null || first === undefined) return callback(error ?? new Error('The name is not known.'), '', 0)
    if (addresses.some(({ address }) => isInnerAddress(address)))
      return callback(new Error('The name leads to an inner address.'), '', 0)
    if (options.all) return callback(null, [...addresses])
    callback(null, first.address, first.family)
  })
}
