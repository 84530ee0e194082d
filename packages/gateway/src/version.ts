import { readFileSync } from 'node:fs'

// The folder above is the package's own, from its sources and from what is built of them.
const own = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** The version of this package, by which clients know the gateway. */
export const version: string = own.version
