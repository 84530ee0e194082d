// What tells a person of asks while they look elsewhere: the title and the icon of the page, and, once they allowed it,
// notifications. It is for a page that is the inbox; an inbox that is embedded leaves its page alone.

import { visible } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { summaryOf, whoAsks } from '../../list/rows.js'
import { maxCount } from '../../live/mirror.js'
import { deviceState } from '../../notify/this-device.js'

/** Shows a notification, when the person is not looking at the page, and is not told by push. */
export function notifyOf(ask: AskEntry, onClick: () => void): void {
  if (deviceState() !== 'page' || (!document.hidden && document.hasFocus())) return
  // Some systems only take notifications from a service worker.
  try {
    const notification = new Notification(visible(whoAsks(ask)), { body: summaryOf(ask), tag: ask.request.id })
    notification.onclick = () => {
      focus()
      onClick()
      notification.close()
    }
  } catch {}
}

/** A number of open asks, as far as it is known: the desk stops counting. */
export function countText(count: number): string {
  return count > maxCount ? `${maxCount}+` : `${count}`
}

/** Puts the number of open asks before the page's title, and on its icon. */
export function showCount(count: number, title: string): void {
  const full = count > 0 ? `(${countText(count)}) ${title}` : title
  if (document.title === full) return
  document.title = full
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (link !== null) link.href = `data:image/svg+xml,${encodeURIComponent(iconWith(count))}`
}

function iconWith(count: number): string {
  const text = count > 99 ? '99+' : String(count)
  const badge =
    count > 0
      ? `<circle cx="23" cy="9" r="9" fill="#d92d20"/><text x="23" y="13" font-family="system-ui,sans-serif" font-size="${text.length > 2 ? 8 : 11}" font-weight="700" fill="#fff" text-anchor="middle">${text}</text>`
      : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect y="2" width="30" height="30" rx="8" fill="#3f4fc4"/><path d="M7 19 10 9h10l3 10v7H7Zm0 0h5a3 3 0 0 0 6 0h5" fill="none" stroke="#fff" stroke-width="2" stroke-linejoin="round"/>${badge}</svg>`
}
