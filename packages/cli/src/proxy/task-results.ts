// The official client takes no `resultType: 'task'`, so a task travels through it inside of a result that it takes.

import type { Client, JSONRPCMessage } from '@modelcontextprotocol/client'
import { type Fields, fields } from '../fields.js'

const taskMeta = 'beckon/task'

/** From here on, a call of a connected client may become a task. */
export function passTasks({ transport }: Client): void {
  if (transport === undefined) return
  const { onmessage } = transport
  transport.onmessage = (message, extra) => onmessage?.(packed(message), extra)
}

/** The task that travelled inside of a result. */
export function taskIn({ _meta }: Fields): Fields | undefined {
  const task = fields(_meta)[taskMeta]
  return task === undefined ? undefined : fields(task)
}

function packed<T extends JSONRPCMessage>(message: T): T {
  if (!('result' in message) || fields(message.result).resultType !== 'task') return message
  return { ...message, result: { resultType: 'complete', content: [], _meta: { [taskMeta]: message.result } } }
}
