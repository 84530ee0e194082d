/** What a person does with an ask, wherever it is shown to them. */
export interface Person {
  /** Opens a page, and says yes or no to that. */
  open(url: string): Promise<'accept' | 'decline'>
  /** What they put into a form; without it, they decline. */
  fillIn?(): Record<string, string>
}
