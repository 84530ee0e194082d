/** An object as `JSON.parse` makes it, and no array. */
export type JsonObject = Readonly<Record<string, unknown>>
