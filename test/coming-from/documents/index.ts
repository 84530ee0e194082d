import type { BeckonServer } from 'beckon'
import { fastmcp } from './fastmcp.js'
import { lynq } from './lynq.js'
import { officialSdk } from './official-sdk.js'
import { tesseron } from './tesseron.js'

/** What each document has a server offer. */
export const documents = { tesseron, officialSdk, fastmcp, lynq } as const satisfies Record<
  string,
  (server: BeckonServer) => void
>

export type DocumentName = keyof typeof documents
