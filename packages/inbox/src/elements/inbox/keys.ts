/** Does what a key is for, unless it is someone's text or another program's shortcut. */
export function actOnKey(event: KeyboardEvent, acts: Readonly<Record<string, () => void>>): void {
  const { key, ctrlKey, metaKey, altKey } = event
  const act = acts[key]
  if (act === undefined || event.defaultPrevented || ctrlKey || metaKey || altKey) return
  if (key !== 'Escape' && isField(event.composedPath()[0])) return
  event.preventDefault()
  act()
}

function isField(target: EventTarget | undefined): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox')
  )
}
