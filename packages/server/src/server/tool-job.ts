import type { CallContext } from '../author/call-context.js'
import type { Fallback, Subject } from '../author/context.js'
import type { Middleware } from '../author/middleware.js'
import type { Target } from '../call/call-types.js'
import { digest } from '../crypto/digest.js'
import { copyJson } from '../store/copy-json.js'
import type { JsonValue } from '../store/index.js'
import type { Job } from './answer-job.js'
import type { Tool } from './registry.js'
import { describeIssues, toolResult, withContent } from './results.js'
import type { ReadSchema } from './schemas.js'

type Checked = Awaited<ReturnType<ReadSchema['validate']>>

/** One call of a tool. A class without closures and async frames, since a suspended call holds it. */
export class ToolJob implements Job {
  readonly subject: Subject
  readonly target: Target
  readonly fallback: Fallback
  readonly middleware: readonly Middleware[]
  readonly #tool: Tool

  constructor(tool: Tool, input: Record<string, unknown>, middleware: readonly Middleware[], fallback: Fallback) {
    const { name } = tool
    this.#tool = tool
    this.subject = { kind: 'tool', name, input }
    this.target = { method: 'tools/call', name, digest: digest(input) }
    this.middleware = tool.middleware.length === 0 ? middleware : [...middleware, ...tool.middleware]
    this.fallback = fallback
  }

  get tool(): Tool['config'] {
    return this.#tool.config
  }

  get servesTasks(): true {
    return true
  }

  run(ctx: CallContext): Promise<unknown> {
    try {
      // What a handler does to its arguments is not what the client sent: another run begins with that again.
      const input = copyJson(this.subject.input as JsonValue)
      const checked = this.#tool.input?.validate(input) ?? { value: input }
      return checked instanceof Promise ? checked.then(found => this.#enter(found, ctx)) : this.#enter(checked, ctx)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  resultOf(returned: unknown): ReturnType<Job['resultOf']> {
    return toolResult(returned, this.#tool.name, this.#tool.output)
  }

  async #refuse(issues: NonNullable<Checked['issues']>, ctx: CallContext): Promise<unknown> {
    return { ...ctx.error(`The arguments do not fit. ${describeIssues(issues)}`) }
  }

  #enter(checked: Checked, ctx: CallContext): Promise<unknown> {
    if (checked.issues !== undefined) return this.#refuse(checked.issues, ctx)
    // The validator made what the handler's type says, and its middleware what `ctx.var` has; what it returns is checked by
    // `toolResult`.
    const returned = Promise.resolve(this.#tool.handler(checked.value as never, ctx as never))
    return this.middleware.length === 0 ? returned : returned.then(withContent)
  }
}
