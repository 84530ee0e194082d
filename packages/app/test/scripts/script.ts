import type { AgentCapabilities, Annotations, Credentials, LogEntry, Progress } from '../../src/index.js'

/** What an action of a script does, in order. */
export type ScriptedStep =
  | { confirm: string }
  | { elicit: { question: string; jsonSchema: object & { type: string }; attempts?: number } }
  | { sample: { prompt: string; schema?: object; maxTokens?: number } }
  | { progress: Progress }
  | { log: LogEntry }
  | { throws: string }
  /** Does not come to an end by itself. */
  | { hangs: true }
  | { offers: ScriptedAction }
  | { withdraws: string }

/** An action of a script. Without `returns` its result is what its deeds gave, by name. */
export interface ScriptedAction {
  name: string
  description?: string
  input?: object
  output?: object
  annotations?: Annotations
  timeoutMs?: number
  does?: ScriptedStep[]
  returns?: unknown
  confirms?: string
  returnsConfirmResult?: boolean
}

/** A resource of a script. */
export interface ScriptedResource {
  name: string
  description?: string
  value?: unknown
  fails?: string
  /** What is told at once to whoever follows. */
  emits?: unknown[]
}

/** One thing that happens; `recv` is what the app says, and `send` what it is told. */
export type Step = { note?: string } & (
  | { recv: object }
  | { send: object }
  /** A frame as it stands. */
  | { sendText: string }
  /** The hello and its answer, where they are not what the script is about. */
  | { hello: { capabilities?: Partial<AgentCapabilities> } }
  | { advanceMs: number }
  /** Nothing was said meanwhile, and the app is still there. */
  | { quiet: true }
  /** The app ends the connection. */
  | { closed: true }
)

/** What an app and its gateway say to each other. */
export interface Script {
  id: string
  title: string
  fixture: {
    actions: ScriptedAction[]
    resources?: ScriptedResource[]
    /** The session that the app goes on with: for one that dials, since others have it in their manifest. */
    credentials?: Credentials
  }
  steps: Step[]
}
