const perMember = 16

/** About how many bytes a JSON value takes in memory: what it has of text, and a little for each member. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return perMember + value.length
  if (typeof value !== 'object' || value === null) return perMember
  let size = perMember
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item)
  else for (const key in value) size += key.length + sizeOf((value as Record<string, unknown>)[key])
  return size
}
