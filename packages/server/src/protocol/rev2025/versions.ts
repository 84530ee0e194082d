/** The versions that sessions are opened with, newest first. */
export const legacyVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']

const [latest = ''] = legacyVersions

/** The version that is spoken with a client: its own, or ours where we do not know that. */
export function negotiated(version: string): string {
  return legacyVersions.includes(version) ? version : latest
}
