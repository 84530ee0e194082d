// What anybody can do to someone else's task.
import type { Family } from './attack.js'
import { overHttp, type Reply, toldAll } from './over-http.js'

const capabilities = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } }
const accept = { action: 'accept', content: {} }

async function whileAliceHasATask(
  attack: (scene: {
    send(method: string, as: string | undefined, params?: object): Promise<Reply>
    inputResponses: object
  }) => Promise<string>,
): Promise<string> {
  const { modern } = await overHttp(server => {
    server.tool('pay', { task: 'optional' }, async (_input, ctx) => ((await ctx.confirm('Pay?')) ? 'paid' : 'not paid'))
  })
  const { taskId } = (await modern({ name: 'pay' }, { as: 'alice', capabilities })).message.result
  const send = (method: string, as: string | undefined, params: object = {}) =>
    modern({ taskId, ...params }, { method, capabilities, ...(as !== undefined && { as }) })
  const { inputRequests } = (await send('tasks/get', 'alice')).message.result
  const inputResponses = { [Object.keys(inputRequests)[0] ?? '']: accept }
  const got = await attack({ send, inputResponses })
  const { status } = (await send('tasks/get', 'alice')).message.result
  if (status !== 'input_required') throw new Error(`Alice’s task is ${status}.`)
  return got
}

export const tasks: Family = {
  family: 'A task',
  attacks: [
    {
      attack: 'Bob, and someone who is nobody, look at Alice’s task, answer it and cancel it',
      run: () =>
        whileAliceHasATask(async ({ send, inputResponses }) => {
          const replies: Reply[] = []
          for (const as of ['bob', undefined])
            for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
              replies.push(await send(method, as, { inputResponses }))
          return toldAll(replies)
        }),
    },
    {
      attack: 'ids that might be somewhere else in the store',
      run: () =>
        whileAliceHasATask(async ({ send }) => {
          const replies: Reply[] = []
          for (const taskId of ['', '__proto__', '../nodes', 'nodes', 'x'.repeat(5_000)])
            replies.push(await send('tasks/get', 'alice', { taskId }))
          return toldAll(replies)
        }),
    },
    {
      attack: 'answers to questions that the task does not have, and answers that are none',
      run: () =>
        whileAliceHasATask(async ({ send, inputResponses }) => {
          const [id = ''] = Object.keys(inputResponses)
          const wrong = [
            { nobody: accept },
            JSON.parse('{"__proto__":{"action":"accept"},"constructor":{"action":"accept"}}'),
            { [id]: { action: 'allow' } },
            { [id]: { action: 'accept', content: 'yes' } },
          ]
          for (const responses of wrong) await send('tasks/update', 'alice', { inputResponses: responses })
          return 'passed over: the task still asks'
        }),
    },
  ],
}
