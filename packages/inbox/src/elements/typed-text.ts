/** What stands in the field that an event is about. */
export function typedText({ target }: Event): string {
  const isField =
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  return isField ? target.value : ''
}
