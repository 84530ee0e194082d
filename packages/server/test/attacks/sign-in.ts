import { z } from 'zod'
import type { BeckonServer } from '../../src/index.js'
import { credentials } from '../../src/middleware/credentials/credentials.js'
import { connect, identify, serve, textOf } from '../flows/opened.js'
import { hiddenFields, Visitor } from '../flows/visitor.js'
import { type Family, onEveryWire, publicUrl, type Scene, seen, whileAliceIsAsked } from './attack.js'

const markup = '"><script>alert(1)</script><img src=x> " onfocus="alert(1)'
const right = { 'field-username': 'bob', 'field-password': 'correct horse' }

/** A gate that counts how often what was typed was looked at. */
function gate(attempts = 5) {
  const checked: string[] = []
  const flow = credentials({
    message: 'Sign in.',
    schema: z.object({ username: z.string(), password: z.string() }),
    attempts,
    verify: async ({ username, password }) => {
      checked.push(username)
      return password === 'correct horse' ? { id: username } : null
    },
  })
  return { flow, checked }
}

/** A call of someone who does something with the link that they are sent. */
async function visiting(
  server: BeckonServer,
  principal: string,
  visit: (url: string) => Promise<'accept' | 'decline'>,
): Promise<string> {
  const client = connect(server, {
    principal,
    answer: ask => (ask.kind === 'url' ? visit(ask.url) : 'decline'),
  })
  try {
    return textOf(await client.callTool('gated'))
  } finally {
    await client.close()
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>(settle => {
    resolve = settle
  })
  return { promise, resolve }
}

export const signIn: Family = {
  family: 'Signing in',
  attacks: [
    {
      attack: 'Alice sends Bob her link, so that he signs in for her',
      run: () =>
        onEveryWire(wire => {
          const { flow, checked } = gate()
          const attack = async ({ link, bob, alice }: Scene) => {
            const page = await alice.get(link)
            const opened = await bob.get(link)
            const sent = await bob.post(link, { ...hiddenFields(page.text), ...right })
            if (checked.length > 0) throw new Error('What Bob typed was looked at.')
            return `${seen(opened)}; sent all the same: ${seen(sent)}, not looked at`
          }
          return whileAliceIsAsked(flow, attack, { wire })
        }),
    },
    {
      attack: 'another site has Alice’s browser sign in, with a password of the attacker’s (login CSRF)',
      run() {
        const { flow, checked } = gate()
        return whileAliceIsAsked(flow, async ({ link, alice }) => {
          await alice.get(link)
          const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
          const sent = await alice.post(link, right, headers)
          if (checked.length > 0) throw new Error('It was looked at.')
          return `${seen(sent)}, not looked at`
        })
      },
    },
    {
      attack: 'markup in what is typed, in labels, hints and choices',
      run: () =>
        whileAliceIsAsked(
          credentials({
            message: markup,
            schema: {
              type: 'object',
              properties: {
                username: { type: 'string', title: markup, description: markup, maxLength: 5 },
                region: { type: 'string', oneOf: [{ const: markup, title: markup }] },
              },
              required: ['username'],
            },
            verify: () => null,
          }),
          async ({ link, alice }) => {
            const pages = [await alice.get(link), await alice.submit(link, { 'field-username': markup })]
            if (pages.some(({ text }) => /<script|<img|" onfocus/.test(text))) throw new Error('It is markup.')
            return 'shown as text'
          },
        ),
    },
    {
      attack: 'guessing, one after the other',
      run() {
        const { flow, checked } = gate()
        return whileAliceIsAsked(
          flow,
          async ({ link, alice }) => {
            let last = ''
            for (let guess = 0; guess < 20; guess++)
              last = seen(await alice.submit(link, { 'field-username': 'admin', 'field-password': `guess ${guess}` }))
            return `20 guesses, ${checked.length} looked at; then ${last}`
          },
          { answer: 'accept' },
        )
      },
    },
    {
      attack: 'guessing, all at once',
      run() {
        const { flow, checked } = gate()
        return whileAliceIsAsked(
          flow,
          async ({ link, alice }) => {
            const page = await alice.get(link)
            const guess = { ...hiddenFields(page.text), 'field-username': 'admin', 'field-password': 'guess' }
            await Promise.all(Array.from({ length: 50 }, () => alice.post(link, guess)))
            return `50 guesses, ${checked.length} looked at`
          },
          { answer: 'accept' },
        )
      },
    },
    {
      attack: 'guessing, with a new link for every few guesses',
      async run() {
        const { flow, checked } = gate()
        const server = serve({ publicUrl, identify })
        server.tool('gated', flow, {}, () => 'passed')
        const client = connect(server, {
          principal: 'mallory',
          answer: async ask => {
            const mallory = new Visitor(server, { 'x-user': 'mallory' })
            const guess = { 'field-username': 'admin', 'field-password': 'guess' }
            if (ask.kind === 'url') for (let i = 0; i < 5; i++) await mallory.submit(ask.url, guess)
            return 'accept'
          },
        })
        const told = []
        for (let call = 0; call < 4; call++) told.push(textOf(await client.callTool('gated')))
        if (told.includes('passed')) throw new Error('It was guessed.')
        return `4 links with 5 guesses each, ${checked.length} looked at`
      },
    },
    {
      attack: 'guessing, with a sign-in of one’s own after every few guesses, on 25 links that are open together',
      async run() {
        const { flow, checked } = gate()
        const server = serve({ publicUrl, identify })
        server.tool('gated', flow, {}, () => 'passed')
        const urls: string[] = []
        const allOpen = deferred()
        const client = connect(server, {
          principal: 'mallory',
          answer: async ask => {
            if (ask.kind === 'url') urls.push(ask.url)
            if (urls.length === 25) allOpen.resolve()
            await allOpen.promise
            return 'accept'
          },
        })
        const calls = Array.from({ length: 25 }, () => client.callTool('gated').then(textOf))
        await allOpen.promise
        const mallory = new Visitor(server, { 'x-user': 'mallory' })
        for (const url of urls) {
          for (let i = 0; i < 4; i++) await mallory.submit(url, { 'field-username': 'admin', 'field-password': `${i}` })
          await mallory.submit(url, { 'field-username': 'mallory', 'field-password': 'correct horse' })
        }
        await Promise.allSettled(calls)
        const guesses = checked.filter(name => name === 'admin').length
        if (guesses > 5) throw new Error(`${guesses} guesses were looked at.`)
        return `100 guesses, ${guesses} looked at`
      },
    },
    {
      attack: 'guessing at one account, as 40 callers with a few guesses each',
      async run() {
        const { flow, checked } = gate()
        const server = serve({ publicUrl, identify })
        server.tool('gated', flow, {}, () => 'passed')
        const guess = async (name: string, fields: Record<string, string>) => {
          const client = connect(server, {
            principal: name,
            answer: async ask => {
              const visitor = new Visitor(server, { 'x-user': name })
              if (ask.kind === 'url') for (let i = 0; i < 4; i++) await visitor.submit(ask.url, fields)
              return 'decline'
            },
          })
          await client.callTool('gated')
        }
        for (let caller = 0; caller < 40; caller++)
          await guess(`mallory ${caller}`, { 'field-username': ' Admin', 'field-password': 'guess' })
        if (checked.length > 50) throw new Error(`${checked.length} guesses were looked at.`)
        return `160 guesses, ${checked.length} looked at`
      },
    },
    {
      attack: 'guessing at any account, as 40 callers from one address',
      async run() {
        const { flow, checked } = gate()
        const server = serve({ identify })
        server.tool('gated', flow, {}, () => 'passed')
        await server.listen({ port: 0 })
        for (let caller = 0; caller < 40; caller++) {
          const who = `mallory ${caller}`
          await visiting(server, who, async url => {
            const visitor = new Visitor(undefined, { 'x-user': who })
            for (let i = 0; i < 4; i++)
              await visitor.submit(url, { 'field-username': `${caller}-${i}`, 'field-password': 'guess' })
            return 'decline'
          })
        }
        if (checked.length > 50) throw new Error(`${checked.length} guesses were looked at.`)
        return `160 guesses, ${checked.length} looked at`
      },
    },
    {
      attack: 'keeping Bob from his account, by guessing at it until nobody may',
      async run() {
        const { flow } = gate()
        const server = serve({ publicUrl, identify })
        server.tool('gated', flow, {}, async (_input, ctx) => {
          await ctx.session.delete('credentials')
          return 'passed'
        })
        const submit = (who: string, fields: Record<string, string>, times: number) =>
          visiting(server, who, async url => {
            const visitor = new Visitor(server, { 'x-user': who })
            for (let i = 0; i < times; i++) await visitor.submit(url, fields)
            return who === 'bob' ? 'accept' : 'decline'
          })
        await submit('bob', right, 1)
        for (let caller = 0; caller < 20; caller++)
          await submit(`mallory ${caller}`, { 'field-username': 'bob', 'field-password': 'guess' }, 4)
        const got = await submit('bob', right, 1)
        if (got !== 'passed') throw new Error(got)
        return 'Bob, who has signed in there before, signs in'
      },
    },
    {
      attack: 'a callback of the author’s that completes any id is told the id of a sign-in',
      run() {
        const { flow } = gate()
        return whileAliceIsAsked(
          flow,
          async ({ server, elicitationId = '' }) => {
            if (elicitationId === '' || (await server.completeElicitation(elicitationId))) throw new Error('It counts.')
            return 'not known there, nothing completed: a sign-in ends on its own page only'
          },
          { wire: 'push' },
        )
      },
    },
    {
      attack: 'the right password, after Alice has declined',
      async run() {
        const { flow, checked } = gate()
        let late = async () => ''
        await whileAliceIsAsked(flow, async ({ link, alice }) => {
          const page = await alice.get(link)
          late = async () => seen(await alice.submit(link, right, page))
          return ''
        })
        const got = await late()
        if (checked.length > 0) throw new Error('It was looked at.')
        return `${got}, not looked at`
      },
    },
    {
      attack: 'looking for the password in what the client and the model see',
      async run() {
        const { flow } = gate()
        const server = serve({ publicUrl, identify })
        server.tool('gated', flow, {}, () => 'passed')
        const client = connect(server, {
          principal: 'bob',
          answer: async ask => {
            if (ask.kind === 'url') await new Visitor(server, { 'x-user': 'bob' }).submit(ask.url, right)
            return 'accept'
          },
        })
        await client.callTool('gated')
        if (JSON.stringify([client.messages, client.asked]).includes('correct horse')) throw new Error('It is there.')
        return 'in no message, in either direction'
      },
    },
  ],
}
