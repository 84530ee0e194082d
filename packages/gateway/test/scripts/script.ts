/** One script of `cases/`: what goes over the application wire, and what happens at the agent meanwhile. */
export interface Script {
  readonly id: string
  readonly title: string
  /** What the agent's client can do. Default: ask a person. */
  readonly capabilities?: object
  readonly steps: readonly Step[]
}

/** Each step is one of these. */
export type Step =
  /** The application says this. */
  | { readonly recv: unknown }
  /** The application says this text, message or not. */
  | { readonly recvText: string }
  /** The application is told this next. */
  | { readonly send: unknown }
  /** The usual hello with these actions and resources, and its welcome. */
  | { readonly hello: { readonly actions?: readonly object[]; readonly resources?: readonly object[] } }
  /** The agent claims the application by its code, and the application is told. */
  | { readonly claim: true }
  /** The agent calls a tool; the call stays open. */
  | { readonly call: string; readonly args?: Record<string, unknown> }
  /** A person is asked this, and does that. */
  | { readonly asked: unknown; readonly answer: { readonly action: string; readonly content?: object } }
  /** The call is over. */
  | { readonly result: unknown }
  /** The client cancels the call. */
  | { readonly cancel: true }
  /** Time goes by. */
  | { readonly advanceMs: number }
  /** The application hangs up, and connects again. */
  | { readonly reconnect: true }
  /** The gateway ends the connection. */
  | { readonly closed: string }
  /** Nobody was asked anything. */
  | { readonly unasked: true }
