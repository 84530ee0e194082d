/**
 * Something that asks, waits, is answered and goes on, with what it learned in a database.
 * @typedef {object} Contender
 * @property {() => Promise<void>} cycle one of those
 * @property {() => Promise<void>} close
 */
