// Where Redis is: one server, Sentinels that know which of several is the primary, or a Cluster. What cannot be an address is
// refused when the store is made, and not when something is to be kept.

interface HostAndPort {
  readonly host: string
  readonly port: number
}

interface Login {
  username?: string
  password?: string
  tls?: Record<string, never>
}

/** An address, taken apart. */
export type Address =
  | { readonly kind: 'server'; readonly url: string }
  | {
      readonly kind: 'sentinel'
      readonly hosts: HostAndPort[]
      readonly name: string
      readonly db: number
      readonly login: Login
    }
  | { readonly kind: 'cluster'; readonly hosts: HostAndPort[]; readonly login: Login }

const several =
  /^(?<secure>rediss?)\+(?<kind>sentinel|cluster):\/\/(?:(?<user>[^:@/]*):(?<password>[^@/]*)@)?(?<hosts>[^/@?#]+)(?:\/(?<path>[^?#]*))?$/

/**
 * @throws TypeError for anything that is not an address of Redis
 *
 * @example
 * readAddress('redis+sentinel://:secret@a:26379,b:26379/primary')
 */
export function readAddress(url: string): Address {
  if (/^rediss?:\/\//.test(url)) {
    if (!URL.canParse(url)) throw unusable('it is not the URL of one server')
    return { kind: 'server', url }
  }
  const { secure, kind, user, password, hosts = '', path = '' } = several.exec(url)?.groups ?? {}
  if (kind === undefined) throw unusable('it begins with none of these')
  const defaultPort = kind === 'sentinel' ? 26_379 : 6_379
  const all = hosts.split(',').map(host => hostAndPort(host, defaultPort))
  const login: Login = {
    ...(user !== undefined && user !== '' && { username: decodeURIComponent(user) }),
    ...(password !== undefined && { password: decodeURIComponent(password) }),
    ...(secure === 'rediss' && { tls: {} }),
  }
  if (kind === 'cluster') {
    if (path !== '') throw unusable('a Cluster has no database or name behind its hosts')
    return { kind, hosts: all, login }
  }
  const [name = '', database = '0', ...rest] = path.split('/')
  if (name === '' || rest.length > 0 || !/^\d+$/.test(database))
    throw unusable('behind the Sentinels comes the name under which they know the primary, and perhaps a database')
  return { kind: 'sentinel', hosts: all, name: decodeURIComponent(name), db: Number(database), login }
}

function hostAndPort(text: string, defaultPort: number): HostAndPort {
  const { host, port } = /^(?<host>\[[\da-fA-F:.]+\]|[^\s:[\]]+)(?::(?<port>\d{1,5}))?$/.exec(text)?.groups ?? {}
  const number = port === undefined ? defaultPort : Number(port)
  if (host === undefined || number < 1 || number > 65_535) throw unusable('one of its hosts is not a host and port')
  return { host: host.replace(/^\[|\]$/g, ''), port: number }
}

/** The address itself is left out: it may hold a password. */
function unusable(why: string): TypeError {
  return new TypeError(
    `This is not an address of Redis: ${why}. Use redis://host:6379, rediss:// for TLS, ` +
      'redis+sentinel://host:26379,host:26379/name-of-primary or redis+cluster://host:6379,host:6379.',
  )
}
