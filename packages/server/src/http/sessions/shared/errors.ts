/** A session that is over. */
export class SessionGoneError extends Error {
  constructor() {
    super('This session is over')
  }
}

/** What a session would keep in the store is too much. */
export class RecordTooLargeError extends Error {
  constructor() {
    super('This is more than a session may keep')
  }
}

/** The node that asked a question is gone, and nobody waits for the answer. */
export class NodeGoneError extends Error {
  constructor() {
    super('The process that asked this is gone, and its request has ended; send the request again')
  }
}
