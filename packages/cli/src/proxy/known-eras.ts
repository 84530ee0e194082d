// How a server was last reached for clients of an era. Each way that does not lead there, and each probe, is a process that is
// started for nothing, and a proxy has a connection for each client.
import type { Era } from '../connect/connect.js'
import type { Target } from '../connect/target.js'
import type { Downstream } from './downstream.js'

interface Way {
  readonly era: Era
  readonly probesInPlace: boolean
}

const reached = new WeakMap<Target, Map<Downstream['era'], '2025' | '2026'>>()

/** The ways to try, one after the other: the one that led there last comes first, since a server may be another by now. */
export function waysTo(target: Target, { era }: Pick<Downstream, 'era'>): readonly Way[] {
  const known = reached.get(target)?.get(era)
  const unknown: Way[] = (era === '2025' ? (['2025', '2026'] as const) : (['auto'] as const)).map(era => ({
    era,
    probesInPlace: false,
  }))
  return known === undefined ? unknown : [{ era: known, probesInPlace: true }, ...unknown]
}

/** A server was reached, in its newer era or not. */
export function remember(target: Target, { era }: Pick<Downstream, 'era'>, isModern: boolean): void {
  const known = reached.get(target) ?? new Map()
  reached.set(target, known.set(era, isModern ? '2026' : '2025'))
}
