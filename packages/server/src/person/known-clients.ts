// Clients that declare elicitation and answer by themselves, by the names that they give.
//
// A name is only listed when no client with a person before it has it. That leaves out the best known ones: Claude Code has one
// name in the terminal, in print mode and under its SDK, and Codex has one in its terminal, in `exec` and with full access. Those
// are found out by how fast they answer. A client can call itself anything, so this list protects nobody from one that lies: it
// spares a person at the desk the wait, and a program the question.
import type { Quirk } from '../protocol/capabilities.js'

/** What `quirks` is by default. */
export const knownClients: readonly Quirk[] = [
  // The official conformance suite, 0.2.0-alpha.12: its source answers every elicitation with fixed content, and it has no
  // interface.
  { client: 'conformance-test-client', answersItself: true },
  // The client of that suite's scenario for defaults, and of the same scenario in the SDKs that were looked at (TypeScript, Kotlin,
  // C++): each source accepts every elicitation with empty content, and has no interface.
  { client: 'elicitation-defaults-test-client', answersItself: true },
]
