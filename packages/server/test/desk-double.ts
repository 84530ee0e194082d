import type { AskDesk } from '../src/index.js'

export type { AskDesk }

type Place = Awaited<ReturnType<AskDesk['attend']>>
export type Ending = Awaited<ReturnType<Place['ask']>>

interface Put {
  readonly message: string
  ending: Ending | undefined
  readonly waiting: Set<(ending: Ending) => void>
}

/** A desk that outlives the processes that use it, and is answered by hand. */
export function deskDouble(): AskDesk & { open(): string[]; answer(message: string, ending: Ending): void } {
  const asks = new Map<string, Put>()
  return {
    open: () => Array.from(asks.values()).flatMap(put => (put.ending === undefined ? [put.message] : [])),
    answer(message, ending) {
      const all = Array.from(asks.values()).filter(candidate => candidate.message === message)
      const put = all.findLast(candidate => candidate.ending === undefined) ?? all.at(-1)
      if (put === undefined) throw new Error(`Nobody was asked: ${message}`)
      put.ending = ending
      for (const resolve of put.waiting) resolve(ending)
    },
    async attend(call) {
      return {
        link: 'https://desk.example/',
        ask: (id, ask, { signal }) => {
          const key = `${call.id}.${id}`
          const message = 'message' in ask ? ask.message : ''
          const put = asks.get(key) ?? { message, ending: undefined, waiting: new Set() }
          asks.set(key, put)
          const withdrawn: Ending = { kind: 'outcome', outcome: { action: 'cancel' } }
          signal.addEventListener('abort', () => {
            put.ending ??= withdrawn
          })
          return put.ending === undefined
            ? new Promise(resolve => put.waiting.add(resolve))
            : Promise.resolve(put.ending)
        },
        leave: async () => {},
      }
    },
  }
}
