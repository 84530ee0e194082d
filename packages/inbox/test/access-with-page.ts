import type { Access, AccessResponse } from '@beckon/desk'

/** A desk that people sign in to on a page of its own, and in no other way. */
export function accessWithPage(): Access & { isOut: boolean } {
  const path = '/sign-in'
  const leadTo = (place: string): AccessResponse => ({ status: 303, headers: [['location', place]], body: '' })
  return {
    isOut: false,
    loopbackOnly: true,
    async authenticate() {
      return this.isOut ? undefined : { principal: 'ana', device: 'browser' }
    },
    async handle(request) {
      if (request.path !== path) return undefined
      this.isOut = false
      return leadTo('/')
    },
    challenge(request) {
      if (request.header('sec-fetch-mode') === 'navigate') return leadTo(path)
      return {
        status: 401,
        headers: [['content-type', 'application/json']],
        body: JSON.stringify({
          code: 'sign-in-required',
          params: { way: 'provider', host: 'id.example' },
          detail: 'As the desk says it.',
          link: { path },
        }),
      }
    },
  }
}
