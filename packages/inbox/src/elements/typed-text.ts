/** What stands in the field that an event is about. */
export function typedText({ target }: Event): string {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target.value : ''
}
