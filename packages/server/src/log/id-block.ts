// Ids for calls that may become durable. A node names a block of them among its calls before it gives out the first one, so that
// each of its calls is found without a name of its own: two writes for so many calls, in place of two for each.
//
// Threat: someone who has the id of one call, or reads the names in a store, and so finds the ids of others. Ids are hashed with a
// secret of the node, which is kept as any other value is.
import { sha256, startOf } from '#platform'
import { randomId } from '../crypto/random-id.js'

/** How many ids there are in a block: that many logs are looked for when its node died. */
export const blockSize = 256
/** So many calls of a block take names of their own, so that no block stays for one long call. */
const few = 8
const tagLength = 8
const hashLength = 24

/** Some ids of a node. All of them begin with the tag of the block. */
export class IdBlock {
  readonly tag: string = startOf(randomId(), tagLength)
  /** The names of durable calls with such ids that this node runs. */
  readonly names: Set<string> = new Set()
  readonly #secret: string
  #drawn = 0

  constructor(secret: string) {
    this.#secret = secret
  }

  /** Undefined when all are drawn. */
  next(): string | undefined {
    return this.#drawn < blockSize ? idOf(this.#secret, this.tag, this.#drawn++) : undefined
  }

  get isHalfDrawn(): boolean {
    return this.#drawn * 2 >= blockSize
  }

  /** Whether so few of its calls are left that they are found more easily by names of their own. */
  get isNearlyOver(): boolean {
    return this.#drawn === blockSize && this.names.size <= few
  }
}

/** All ids of a block. */
export function idsOf(secret: string, tag: string): string[] {
  return Array.from({ length: blockSize }, (_, number) => idOf(secret, tag, number))
}

/** The tag of the block that an id would be of. */
export function tagOf(id: string): string {
  return id.slice(0, tagLength)
}

/** Whether a member of a node's calls is a block; else it is the name of one call, which is longer. */
export function isTag(member: string): boolean {
  return member.length === tagLength
}

function idOf(secret: string, tag: string, number: number): string {
  return tag + startOf(sha256(`${secret} ${tag} ${number}`), hashLength)
}
