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

/** The node that asked a question was not heard of for too long. */
export class NodeGoneError extends Error {
  constructor() {
    super('The process that asked this seems to be gone: then its request ends with an error, and can be sent again')
  }
}
