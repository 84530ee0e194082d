import { plainName } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { isDestructive, toolOf } from './rows.js'

/** Which open asks are listed, and in which order. */
export interface Filters {
  readonly server?: string | undefined
  readonly tool?: string | undefined
  /** Whether it is for this person by name. */
  readonly isMine?: boolean
  readonly isDestructive?: boolean
  /** Whether little time is left. */
  readonly isDue?: boolean
  /** Default: the newest first, by who asks. */
  readonly byDeadline?: boolean
}

export const noFilters: Filters = {}

/** An ask is due when it ends within so long. */
export const dueMs: number = 60 * 60 * 1000

/** How many filters narrow the list down. */
export function filterCount({ server, tool, isMine, isDestructive, isDue }: Filters): number {
  return [server !== undefined, tool !== undefined, isMine, isDestructive, isDue].filter(Boolean).length
}

/** Who looks, and when. */
export interface Look {
  readonly principal: string | undefined
  /** Milliseconds. */
  readonly now: number
}

export function passes(ask: AskEntry, filters: Filters, { principal, now }: Look): boolean {
  const { server, tool } = filters
  return (
    (server === undefined || plainName(ask.server) === server) &&
    (tool === undefined || toolOf(ask) === tool) &&
    (!filters.isMine || isFor(ask, principal)) &&
    (!filters.isDestructive || isDestructive(ask)) &&
    (!filters.isDue || ask.expiresAt - now < dueMs)
  )
}

function isFor({ to }: AskEntry, principal: string | undefined): boolean {
  return principal !== undefined && to?.principals?.includes(principal) === true
}

/** The servers and tools that there are to choose from: those of what is open, and what is chosen. */
export function choicesIn(
  asks: readonly AskEntry[],
  chosen: Filters,
): { readonly servers: readonly string[]; readonly tools: readonly string[] } {
  const servers = new Set(chosen.server === undefined ? [] : [chosen.server])
  const tools = new Set(chosen.tool === undefined ? [] : [chosen.tool])
  for (const ask of asks) {
    if (ask.ending !== undefined) continue
    const server = plainName(ask.server)
    servers.add(server)
    const tool = toolOf(ask)
    if (tool !== undefined && (chosen.server === undefined || chosen.server === server)) tools.add(tool)
  }
  return { servers: [...servers].sort(), tools: [...tools].sort() }
}
