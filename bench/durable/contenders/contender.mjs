/**
 * Something that asks, waits, is answered and goes on, with what it learned in a database.
 * @typedef {object} Contender
 * @property {() => Promise<void>} cycle one of those
 * @property {() => Promise<void>} close
 */

/**
 * The least that a durable ask needs, each on disk before it resolves.
 * @typedef {object} Bare
 * @property {(id: string) => Promise<void>} ask
 * @property {(id: string) => Promise<void>} answer only the first time
 * @property {() => Promise<void>} close
 */

export {}
