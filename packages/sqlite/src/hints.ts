// Messages reach the other processes of the machine through the file: each subscriber looks whenever the file's log
// changes, and ten times a second in case that goes unnoticed.
import { type FSWatcher, watch } from 'node:fs'
import { setImmediate } from 'node:timers'
import type { Listener, Unsubscribe } from 'beckon/store'
import type { Topics } from 'beckon/store/adapter'
import type { Messages } from './tables/messages.js'

const pollMs = 100

/** Brings the messages that are in the file to the subscribers of this handle. */
export interface Hints {
  /** Has to be on the way to the database. */
  subscribe(topic: string, listener: Listener): Unsubscribe
  /** Looks for messages soon. */
  look(): void
  close(): void
}

/** `path` is that of the file which changes with every write; undefined when no other process can write. */
export function createHints(messages: () => Messages, topics: Topics, path: string | undefined): Hints {
  let seen = 0
  let watcher: FSWatcher | undefined
  let timer: NodeJS.Timeout | undefined
  let isLooking = false

  function look(): void {
    if (isLooking) return
    isLooking = true
    setImmediate(() => {
      isLooking = false
      if (!topics.isUsed) return stop()
      try {
        deliver()
      } catch {
        // Another process is at work on the file. The next look may be luckier.
      }
    })
  }

  function deliver(): void {
    for (;;) {
      const found = messages().after(seen)
      if (found.length === 0) return
      for (const { id, topic, text } of found) {
        topics.deliver(topic, text)
        seen = id
      }
    }
  }

  function start(): void {
    if (path === undefined || timer) return
    timer = setInterval(look, pollMs).unref()
    try {
      watcher = watch(path, { persistent: false }, look).on('error', () => {})
    } catch {
      // Not every file system can be watched.
    }
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
    watcher?.close()
    watcher = undefined
  }

  return {
    subscribe(topic, listener) {
      // Nothing from before is for this one.
      if (topics.isUsed) deliver()
      else seen = messages().newest()
      start()
      return topics.subscribe(topic, listener)
    },
    look,
    close: stop,
  }
}
