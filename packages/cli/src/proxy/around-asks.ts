import type { AskingDesk, AskingTurn, DeskOutcome, DeskRequest } from '@beckon/host'

/** An ask on its way to a desk. */
export interface Passing {
  /** The name of the server that asks. */
  readonly server: string
  readonly request: DeskRequest
}

/** A desk with something done around every ask that is put on it. */
export function aroundAsks(
  desk: AskingDesk,
  around: (passing: Passing, ask: () => Promise<DeskOutcome>) => Promise<DeskOutcome>,
): AskingDesk {
  return {
    async session(id, options) {
      const session = await desk.session(id, options)
      const { server = id } = options ?? {}
      const wrapped = (turn: AskingTurn): AskingTurn => ({
        id: turn.id,
        ask: (request, terms) => around({ server, request }, () => turn.ask(request, terms)),
        complete: () => turn.complete(),
        cancel: () => turn.cancel(),
        fail: error => turn.fail(error),
      })
      return {
        id: session.id,
        startTurn: async message => wrapped(await session.startTurn(message)),
        activeTurn() {
          const turn = session.activeTurn()
          return turn && wrapped(turn)
        },
      }
    },
  }
}

export interface PassingSubject {
  readonly tool: string
  readonly input: unknown
  readonly destructive: boolean
}

/** The tool that an ask belongs to and its arguments, where that is known. */
export function subjectOf({ _meta = {} }: DeskRequest): PassingSubject | undefined {
  const { 'beckon/tool': tool, 'beckon/arguments': input, 'beckon/destructive': destructive } = _meta
  return typeof tool === 'string' ? { tool, input, destructive: destructive === true } : undefined
}
