// What a widget's page says to the inbox, and what comes of its answers: for the inbox, and for the tool that asked. The frame is as
// much of one as messages need; `packages/inbox/test/widgets.test.ts` has a real one.
import { checkAnswer, contentOf, questionsOf } from '@beckon/core'
import { findTool, widgetIn } from '@beckon/core/widgets'
import { createServer } from 'beckon'
import { defineWidget } from 'beckon/widgets'
import { z } from 'zod'
import { built } from '../../bench/built.mjs'
import { callerOf } from '../in-process.mjs'
import { finding, judgeRpc } from '../judge.mjs'
import { mutated, mutatedText } from '../mutate.mjs'

/** @typedef {import('../driver.mjs').Target} Target */
/** @typedef {import('@beckon/core').Form} Form */

/** @type {typeof import('../../packages/inbox/src/elements/widget/content.js')} */
const { answerIn } = await built('inbox/dist/elements/widget/content.js')
/** @type {typeof import('../../packages/inbox/src/elements/widget/widget-host.js')} */
const { WidgetHost } = await built('inbox/dist/elements/widget/widget-host.js')

/** @type {Form} */
const form = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 80 },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    plan: { type: 'string', enum: ['free', 'pro'] },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    isNew: { type: 'boolean' },
  },
  required: ['name'],
}
const questions = questionsOf(form)
const content = { name: 'Ada', age: 36, plan: 'pro', tags: ['a'], isNew: true }
const rows = { rows: [{ id: 1, note: 'ok' }] }
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'ui/initialize',
  params: { protocolVersion: '2026-01-26', appCapabilities: { elicitation: {} } },
}
const initialized = { jsonrpc: '2.0', method: 'ui/notifications/initialized', params: {} }
const messages = [
  initialize,
  initialized,
  { jsonrpc: '2.0', id: 1, result: { action: 'accept', content } },
  { jsonrpc: '2.0', id: 1, result: { action: 'decline', content: { 'beckon/reason': 'no' } } },
  { jsonrpc: '2.0', method: 'beckon/draft', params: { content } },
  { jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { width: 10, height: 20 } },
  { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'x', arguments: {} } },
  { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: findTool, arguments: { search: 'a' } } },
  { jsonrpc: '2.0', id: 3, method: 'ui/open-link', params: { url: 'https://a.example' } },
  { jsonrpc: '2.0', id: 4, method: 'ping' },
]

/** @type {Target} */
export const widgets = {
  share: 8,
  atOnce: 1,
  honestEvery: 1_000,
  async open() {
    const page = pageWindow()
    const schema = z.object({ rows: z.array(z.object({ id: z.number(), note: z.string().max(5) })).min(1) })
    const widget = defineWidget({ name: 'rows', schema, html: '<h1>Rows</h1>' })
    const server = createServer({
      name: 'shop',
      version: '1.0.0',
      person: 'unchecked',
      widgets: [widget],
      identify: request => request.headers.get('x-user') ?? undefined,
    })
    server.tool('pick', {}, async (_input, ctx) =>
      ctx.json((await ctx.elicit({ question: 'Which?', widget, schema })) ?? {}),
    )
    const [honest, mallory] = [callerOf(server, 'honest'), callerOf(server, 'mallory')]
    let asked = await mallory.asked('pick')

    return {
      async attack(random) {
        if (random.next() < 0.02) {
          const answer = { action: 'accept', content: { json: mutatedText(random, rows, messages) } }
          const params = asked.answered(random.next() < 0.8 ? answer : mutated(random, answer, messages))
          judgeRpc(await mallory.send('tools/call', params), params)
          return
        }
        const host = page.host()
        if (random.next() < 0.8) host.say(initialize)
        if (random.next() < 0.8) host.say(initialized)
        const message = mutated(random, random.pick(messages), messages)
        host.say(message)
        if (random.next() < 0.3) host.say(mutated(random, random.pick(messages), messages))
        host.stop()
        judgeHost(host, message)
        widgetIn(mutated(random, { 'beckon/widget': { name: 'rows', page: 'A'.repeat(43), data: rows, json: true } }))
      },
      async honest() {
        const host = page.host()
        for (const message of messages.slice(0, 3)) host.say(message)
        host.stop()
        judgeHost(host, 'honest')
        if (JSON.stringify(host.answered) !== JSON.stringify([['accept', content]]))
          throw new Error(JSON.stringify(host.answered))
        const own = await honest.asked('pick')
        const { structuredContent } = await honest.result(
          'tools/call',
          own.answered({ action: 'accept', content: { json: JSON.stringify(rows) } }),
        )
        if (JSON.stringify(structuredContent) !== JSON.stringify(rows))
          throw new Error(JSON.stringify(structuredContent))
        asked = await mallory.asked('pick')
      },
      close: () => server.close(),
    }
  },
}

/** @param {ReturnType<ReturnType<typeof pageWindow>['host']>} host @param {unknown} input */
function judgeHost({ answered, told }, input) {
  if (answered.length > 1) throw finding('one ask was answered twice', JSON.stringify(answered), input)
  for (const message of told) {
    const { error } = /** @type {{ error?: { code: number } }} */ (message)
    if (error !== undefined && error.code !== -32601)
      throw finding('an error that is not documented', JSON.stringify(message), input)
  }
  for (const [, given] of answered) {
    const answers = Object.fromEntries(
      questions.flatMap(question => {
        const answer = answerIn(question, given)
        if (answer === undefined || answer.state === 'skipped' || checkAnswer(question, answer) !== undefined) return []
        return [[question.id, { ...answer, state: /** @type {const} */ ('submitted') }]]
      }),
    )
    for (const [name, value] of Object.entries(contentOf(form, answers)))
      if (!Object.hasOwn(form.properties, name) || (typeof value === 'object' && !Array.isArray(value)))
        throw finding('content that the form does not have', JSON.stringify({ name, value }), input)
  }
}

/** What stands for the window that a frame is in. Messages are cloned, as between windows. */
function pageWindow() {
  const target = new EventTarget()
  Object.assign(globalThis, {
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
  })
  return {
    host() {
      /** @type {unknown[]} */
      const told = []
      /** @type {['accept' | 'decline' | 'cancel', Readonly<Record<string, unknown>>][]} */
      const answered = []
      const contentWindow = {
        postMessage: (/** @type {unknown} */ message) => void told.push(structuredClone(message)),
      }
      const frame = Object.assign(new EventTarget(), { contentWindow })
      const host = new WidgetHost(/** @type {never} */ (frame), {
        ask: () => ({ message: 'Which?', form, use: { name: 'rows' } }),
        context: () => ({ theme: 'light' }),
        answered: (action, given) => void answered.push([action, given]),
        drafted() {},
        find: async search => [{ value: search, label: search }],
        resized() {},
        failed() {},
      })
      return {
        told,
        answered,
        stop: () => host.stop(),
        /** @param {unknown} message */
        say: message => {
          const event = Object.assign(new Event('message'), {
            source: contentWindow,
            origin: 'null',
            data: structuredClone(message),
          })
          target.dispatchEvent(event)
        },
      }
    },
  }
}
