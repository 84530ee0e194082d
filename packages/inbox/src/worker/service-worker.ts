// What runs of the inbox while no page of it is open: it shows what a desk pushes, takes it back, opens the ask on a tap, and
// answers from the notification what may be answered there.
import { SerialQueue } from '@beckon/core'
import { answer } from './answer.js'
import { file, isKept, keepPage, page } from './kept-page.js'
import { type AskMessage, askOf, readMessage } from './message.js'
import type { WorkerScope } from './scope.js'
import { wordsFor } from './words.js'

declare const self: WorkerScope

const icons = { icon: '/icon-192.png', badge: '/badge-96.png' }
const words = () => wordsFor(navigator.languages)
/** One change of what is shown after the other: Chromium drops a notification that is listed while it is being shown. */
const changes = new SerialQueue()
/** One that hangs, say at its icon, holds up the others no longer than this. */
const patienceMs = 5_000

self.addEventListener('install', event =>
  event.waitUntil(Promise.all([self.skipWaiting(), keepPage().catch(() => {})])),
)
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', event => {
  const kind = isKept(event.request, location.origin)
  if (kind !== undefined) event.respondWith(kind === 'page' ? page(event.request) : file(event.request))
})

self.addEventListener('push', event => event.waitUntil(inTurn(() => onPush(event.data?.text() ?? ''))))

self.addEventListener('notificationclick', event => {
  const { notification, action } = event
  notification.close()
  const ask = askOf(notification.data)
  const isAnswer = action === 'accept' || action === 'decline'
  event.waitUntil(ask !== undefined && isAnswer ? onAnswer(ask, action) : show(ask?.path ?? '/'))
})

async function onPush(text: string): Promise<void> {
  const message = readMessage(text)
  if (message === undefined) return
  if (message.kind === 'ended') return takeBack(message.tag)
  if (message.kind === 'test') {
    const { testTitle, test } = words()
    return self.registration.showNotification(testTitle, { body: test, tag: 'test', ...icons })
  }
  // A person who looks at the inbox sees it there.
  if ((await pages()).some(({ focused }) => focused)) return
  const { accept, decline } = words()
  const { title, body, tag, isAnswerable, isReminder } = message
  await self.registration.showNotification(title, {
    body,
    tag,
    data: message,
    renotify: isReminder,
    ...icons,
    ...(isAnswerable && {
      actions: [
        { action: 'accept', title: accept },
        { action: 'decline', title: decline },
      ],
    }),
  })
}

/** Settles as the change does; the next one begins then, or when this one takes too long. */
function inTurn(change: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    void changes.run(() => {
      const done = change()
      done.then(resolve, reject)
      return Promise.race([done.catch(() => {}), new Promise(late => setTimeout(late, patienceMs))])
    })
  })
}

async function takeBack(tag: string): Promise<void> {
  for (const notification of await self.registration.getNotifications({ tag })) notification.close()
}

async function onAnswer(ask: AskMessage, response: 'accept' | 'decline'): Promise<void> {
  const answered = await answer(ask, response)
  if (answered === 'answered') return
  const { notSent, notSentMore, over } = words()
  const body = answered === 'over' ? over : notSentMore
  // Without what it asks: another tap opens it, and answers nothing.
  const data = { ...ask, isAnswerable: false }
  await inTurn(() => self.registration.showNotification(notSent, { body, tag: ask.tag, data, ...icons }))
}

/** Shows an address of the inbox: in a page of it that is open, else in a new one. */
async function show(path: string): Promise<void> {
  const [open] = await pages()
  // Only of this desk, whatever a message said.
  const { pathname } = new URL(path, location.origin)
  if (open === undefined) return void (await self.clients.openWindow(pathname))
  open.postMessage({ show: pathname })
  await open.focus()
}

function pages(): ReturnType<WorkerScope['clients']['matchAll']> {
  return self.clients.matchAll({ type: 'window', includeUncontrolled: true })
}
