import assert from 'node:assert/strict'
import type { JsonValue } from '../json.js'
import { collect } from './collect.js'
import { assertRejects, pushToList, type StoreCase } from './store-case.js'

export const topicCases: readonly StoreCase[] = [
  {
    title: 'publishes to nobody',
    async run({ store }) {
      assert.equal(await store.publish('topic', 'unheard'), undefined)
    },
  },
  {
    title: 'delivers each message once to every subscriber of its topic, in the order they were published',
    async run({ store }) {
      const [first, second, other] = [collect(), collect(), collect()]
      await store.subscribe('topic', first.add)
      await store.subscribe('topic', second.add)
      await store.subscribe('other', other.add)
      const messages = Array.from({ length: 50 }, (_, index) => index)
      for (const message of messages) await store.publish('topic', message)
      await store.publish('topic', 'the last')
      await store.publish('other', 'only this')
      await first.assertReceived([...messages, 'the last'])
      await second.assertReceived([...messages, 'the last'])
      await other.assertReceived(['only this'])
    },
  },
  {
    title: 'keeps the order of messages that were published without waiting',
    async run({ store }) {
      const received = collect()
      await store.subscribe('topic', received.add)
      const messages = Array.from({ length: 50 }, (_, index) => index)
      await Promise.all(messages.map(message => store.publish('topic', message)))
      await received.assertReceived(messages)
    },
  },
  {
    title: 'carries any JSON value in a message, up to 7,500 bytes of JSON',
    async run({ store }) {
      const received = collect()
      await store.subscribe('topic', received.add)
      const messages: JsonValue[] = [
        '456',
        456,
        null,
        false,
        '',
        [],
        {},
        { a: [{}] },
        '👍\u0000\ud800',
        '日'.repeat(2_499),
        'x'.repeat(7_498),
      ]
      for (const message of messages) await store.publish('topic', message)
      await assertRejects(RangeError, [
        () => store.publish('topic', 'x'.repeat(7_499)),
        () => store.publish('topic', '日'.repeat(2_500)),
      ])
      await received.assertReceived(messages)
    },
  },
  {
    title: 'takes a message when it is called, and gives each listener a copy of its own',
    async run({ store }) {
      const [first, second] = [collect(), collect()]
      await store.subscribe('topic', message => {
        pushToList(message, 'changed')
        first.add(message)
      })
      await store.subscribe('topic', second.add)
      const message = { list: ['sent'] }
      const published = store.publish('topic', message)
      message.list.push('too late')
      await published
      await first.assertReceived([{ list: ['sent', 'changed'] }])
      await second.assertReceived([{ list: ['sent'] }])
    },
  },
  {
    title: 'does not call a listener within the call of publish',
    async run({ store }) {
      const received = collect()
      await store.subscribe('topic', received.add)
      const published = store.publish('topic', 1)
      assert.deepEqual(received.messages, [])
      await published
      await received.assertReceived([1])
    },
  },
  {
    title: 'gives a subscriber nothing from before it subscribed',
    async run({ store }) {
      const [early, late] = [collect(), collect()]
      await store.subscribe('topic', early.add)
      await store.publish('topic', 'before')
      await early.assertReceived(['before'])
      await store.subscribe('topic', late.add)
      await store.publish('topic', 'after')
      await late.assertReceived(['after'])
    },
  },
  {
    title: 'calls a listener twice that is subscribed twice, and once when one of them ended',
    async run({ store }) {
      const [twice, witness] = [collect(), collect()]
      await store.subscribe('topic', twice.add)
      const unsubscribe = await store.subscribe('topic', twice.add)
      await store.publish('topic', 1)
      await twice.assertReceived([1, 1])
      await unsubscribe()
      await store.subscribe('topic', witness.add)
      await store.publish('topic', 2)
      await store.publish('topic', 3)
      await witness.assertReceived([2, 3])
      await twice.assertReceived([1, 1, 2, 3])
    },
  },
  {
    title: 'calls a listener no more once it unsubscribed, and the others still',
    async run({ store }) {
      const [leaver, witness] = [collect(), collect()]
      const unsubscribe = await store.subscribe('topic', leaver.add)
      await store.subscribe('topic', witness.add)
      await store.publish('topic', 1)
      await leaver.assertReceived([1])
      await unsubscribe()
      await unsubscribe()
      await store.publish('topic', 2)
      await store.publish('topic', 3)
      await witness.assertReceived([1, 2, 3])
      assert.deepEqual(leaver.messages, [1])
      await store.subscribe('topic', leaver.add)
      await unsubscribe()
      await store.publish('topic', 4)
      await leaver.assertReceived([1, 4])
    },
  },
  {
    title: 'lets a listener unsubscribe itself, and publish',
    async run({ store }) {
      const [once, witness] = [collect(), collect()]
      const unsubscribe = await store.subscribe('topic', async message => {
        once.add(message)
        await unsubscribe()
        await store.publish('topic', 'from the listener')
      })
      await store.subscribe('topic', witness.add)
      await store.publish('topic', 1)
      await witness.assertReceived([1, 'from the listener'])
      assert.deepEqual(once.messages, [1])
    },
  },
  {
    title: 'drops what a listener throws, and goes on for everybody',
    async run({ store }) {
      const [before, thrower, after] = [collect(), collect(), collect()]
      await store.subscribe('topic', before.add)
      await store.subscribe('topic', message => {
        thrower.add(message)
        throw new Error('a listener that throws')
      })
      await store.subscribe('topic', after.add)
      await store.publish('topic', 1)
      await store.publish('topic', 2)
      for (const received of [before, thrower, after]) await received.assertReceived([1, 2])
    },
  },
]
