// Where the database is: one host, or several of which one can be written to. What cannot be an address is refused when the
// store is made, and not when something is to be kept.

const form = /^(?<scheme>postgres(?:ql)?):\/\/(?<login>[^/@]*@)?(?<hosts>[^/?#]*)(?<rest>[/?].*)?$/

/**
 * A URL for each host of an address, as libpq writes several: with commas between.
 * @throws TypeError for anything that is not an address of Postgres
 *
 * @example
 * readAddress('postgres://beckon@db-1,db-2:5433/beckon')
 * // ['postgres://beckon@db-1/beckon', 'postgres://beckon@db-2:5433/beckon']
 */
export function readAddress(url: string): string[] {
  const { scheme, login = '', hosts = '', rest = '' } = form.exec(url)?.groups ?? {}
  if (scheme === undefined) throw unusable('it does not begin with postgres://')
  const urls = hosts.split(',').map(host => `${scheme}://${login}${host}${rest}`)
  if (urls.length > 1 && hosts.split(',').includes('')) throw unusable('one of its hosts has no name')
  if (!urls.every(each => URL.canParse(each))) throw unusable('it is not a URL')
  return urls.map(withoutTarget)
}

/** Only one that can be written to will do, whatever a URL says. */
function withoutTarget(url: string): string {
  const parsed = new URL(url)
  const target = parsed.searchParams.get('target_session_attrs')
  if (target === null) return url
  if (target !== 'read-write' && target !== 'primary')
    throw unusable('target_session_attrs can only be read-write or primary')
  parsed.searchParams.delete('target_session_attrs')
  return parsed.href
}

/** The address itself is left out: it may hold a password. */
function unusable(why: string): TypeError {
  return new TypeError(
    `This is not an address of Postgres: ${why}. Use postgres://user@host/database, or several hosts with commas between.`,
  )
}
