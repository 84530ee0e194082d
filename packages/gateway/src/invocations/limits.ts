/** How many asks of one invocation may be open at once. */
export const maxOpenAsks = 16

/** How many asks one invocation may make. */
export const maxAsks = 256

/** How deep a model may go into actions that ask a model. */
export const maxSamplingDepth = 3

/** What an application gets beyond its own timeout, so that its own word on that arrives first. */
export const graceMs = 5_000
