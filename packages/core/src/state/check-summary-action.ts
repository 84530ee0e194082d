/** Why this cannot be a title; undefined when it can. */
export function checkTitle(title: unknown): string | undefined {
  return typeof title === 'string' ? undefined : 'A title must be a text.'
}

/** Why this cannot say whether something is read or archived; undefined when it can. */
export function checkMark(mark: unknown): string | undefined {
  return typeof mark === 'boolean' ? undefined : 'A mark must be true or false.'
}
