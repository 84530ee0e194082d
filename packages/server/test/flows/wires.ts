import type { TestClientOptions } from '../../src/test/index.js'

/** The wires that can send a person to a page. */
export const urlWires = ['push', 'rounds', 'tasks'] as const

export type UrlWire = (typeof urlWires)[number]

/** A client on a wire, which accepts every page that it is sent to once `open` has been there. */
export function opening(wire: UrlWire, open: (url: string) => Promise<unknown> | undefined): TestClientOptions {
  return {
    wire,
    async answer(ask) {
      if (ask.kind === 'url') await open(ask.url)
      return 'accept'
    },
  }
}
