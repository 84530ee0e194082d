import { readFileSync } from 'node:fs'

// The folder above is the package's own, from its sources and from what is built of them.
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** Who servers see when a command connects to them. */
export const clientInfo: { readonly name: string; readonly version: string } = { name: 'beckon', version }
