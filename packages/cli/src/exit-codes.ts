/** What the exit code of `beckon` says, for scripts. `docs/cli.md` lists the same. */
export const exitCodes = {
  ok: 0,
  /** The tool's own result is an error, or a rule that must hold is broken. */
  failed: 1,
  usage: 2,
  /** A person declined or cancelled, nobody was there to answer, or someone has yet to. */
  notAnswered: 3,
  cannotConnect: 4,
  /** The server, or the way to it, failed in the middle. */
  broken: 5,
  /** The configuration cannot be used; `EX_CONFIG` of sysexits. */
  config: 78,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
