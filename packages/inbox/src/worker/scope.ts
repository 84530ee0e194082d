/** What a service worker has, as far as ours uses it. The types of pages have none of it. */
export interface WorkerScope {
  readonly registration: {
    showNotification(title: string, options: ShownNotification): Promise<void>
    getNotifications(which: { readonly tag: string }): Promise<readonly { close(): void }[]>
  }
  readonly clients: {
    matchAll(which: { readonly type: 'window'; readonly includeUncontrolled: true }): Promise<readonly PageClient[]>
    openWindow(url: string): Promise<unknown>
    claim(): Promise<void>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void
  addEventListener(type: 'push', listener: (event: PushReceived) => void): void
  addEventListener(type: 'notificationclick', listener: (event: NotificationClicked) => void): void
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void
}

interface ShownNotification {
  readonly body: string
  readonly tag?: string
  readonly data?: object
  readonly icon: string
  readonly badge: string
  readonly renotify?: boolean
  readonly actions?: readonly { readonly action: string; readonly title: string }[]
}

interface PageClient {
  readonly focused: boolean
  focus(): Promise<unknown>
  postMessage(message: object): void
}

interface Extendable {
  waitUntil(work: Promise<unknown>): void
}

interface PushReceived extends Extendable {
  readonly data: { text(): string } | null
}

interface NotificationClicked extends Extendable {
  readonly action: string
  readonly notification: { readonly data: unknown; close(): void }
}

interface Fetching extends Extendable {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
