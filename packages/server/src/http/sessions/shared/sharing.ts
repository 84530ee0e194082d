import type { Clock } from '../../../runtime/clock.js'
import type { Store } from '../../../store/store.js'

/** What a server has in common with others of its name, where the store is shared. */
export interface Sharing {
  /** The server's own part. */
  readonly store: Store
  readonly clock: Clock
  readonly nodes: {
    /** This one. */
    readonly id: string
    /** Makes this node known to the others. */
    join(): Promise<void> | undefined
    isAlive(node: string): Promise<boolean>
  }
}
