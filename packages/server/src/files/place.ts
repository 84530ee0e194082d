/**
 * Where uploaded files are kept: a folder, or anything that keeps bytes by a name, such as an S3-compatible store. Names are ours,
 * of letters, digits, `-` and `_`, and nobody can guess them.
 */
export interface FilePlace {
  /** Keeps all of the bytes, or, where reading them fails, nothing, and fails with the same. They come as fast as they are taken. */
  put(id: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** The bytes that are kept; fails where there are none. */
  get(id: string): AsyncIterable<Uint8Array>
  /** Removes what is kept, if anything is. */
  delete(id: string): Promise<void>
}
