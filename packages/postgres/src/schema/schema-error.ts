/** A database that answers, but that this version cannot use. Trying again does not help. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}
