import { expect, it } from 'vitest'
import type { AccessRequest } from './access.js'
import { page, refusedPage, tooMany } from './respond.js'

function asking(accept: string): AccessRequest {
  const header = (name: string) => (name === 'accept' ? accept : undefined)
  return { method: 'GET', path: '/live', query: '', remoteAddress: '127.0.0.1', header }
}

const signIn = {
  title: 'Not signed in',
  text: 'Sign in with <id>.',
  link: { text: 'Sign in', path: '/sign-in?next=%2F' },
}

it('says the same as a page, as JSON and as text, by what the client wants', () => {
  const html = page(asking('text/html,*/*'), 401, signIn)
  expect(html.body).toContain('<p>Sign in with &#60;id&#62;.</p>')
  expect(html.body).toContain('href="/sign-in?next=%2F"')
  const json = page(asking('application/json'), 401, signIn, [['WWW-Authenticate', 'Bearer']])
  expect(JSON.parse(json.body)).toMatchObject({
    title: 'Not signed in',
    detail: 'Sign in with <id>.',
    link: signIn.link,
  })
  expect(json.headers).toContainEqual(['Content-Type', 'application/json'])
  expect(json.headers).toContainEqual(['WWW-Authenticate', 'Bearer'])
  expect(page(asking('*/*'), 401, signIn).body).toBe('Not signed in. Sign in with <id>.\n')
})

it('has the code and the parameters of a refusal in its JSON, beside the sentence', () => {
  const params = { way: 'provider', host: 'id.example' } as const
  const about = { title: 'Not signed in', link: signIn.link }
  const said = refusedPage(asking('application/json'), { code: 'sign-in-required', params }, about)
  expect(said.status).toBe(401)
  expect(JSON.parse(said.body)).toEqual({
    ...about,
    code: 'sign-in-required',
    params,
    detail: 'Sign in with id.example to use this desk.',
  })
  const later = tooMany(asking('application/json'), 1_500)
  expect(later.status).toBe(429)
  expect(JSON.parse(later.body)).toMatchObject({ code: 'too-many-attempts', params: { seconds: 2 } })
})

it('is a problem for whatever is under /api, no matter what the client says it wants', () => {
  const params = { way: 'token' } as const
  const request = { ...asking('text/html,*/*'), path: '/api/asks' }
  const said = refusedPage(request, { code: 'sign-in-required', params }, { title: 'Not signed in' }, [
    ['WWW-Authenticate', 'Bearer'],
  ])
  expect(said.headers).toContainEqual(['Content-Type', 'application/problem+json'])
  expect(said.headers).toContainEqual(['WWW-Authenticate', 'Bearer'])
  expect(JSON.parse(said.body)).toEqual({
    type: 'about:blank',
    title: 'Not signed in',
    status: 401,
    code: 'sign-in-required',
    params,
    detail: expect.any(String),
  })
})
