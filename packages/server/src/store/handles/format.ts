/** The format of what handles write. Later programs may write another. */
export const format = 1

/** @throws where a later program wrote it: read as if it were ours, it would mean something else */
export function checkFormat(stored: { readonly v: unknown }, name: string): void {
  if (stored.v === format) return
  throw new Error(
    `"${name}" was written in format ${JSON.stringify(stored.v)}, and this program reads format ${format}. Run the later program.`,
  )
}
