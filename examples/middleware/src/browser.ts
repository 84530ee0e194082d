// What a person's browser does on the pages of a Beckon server: keeps its cookie, sends the form, follows where it leads.

export class Browser {
  readonly #headers: Record<string, string>

  constructor(person: string) {
    this.#headers = { 'x-person': person }
  }

  /** Goes on from the page that a link leads to. Gives where that goes. */
  async goOn(link: string): Promise<string> {
    const page = await fetch(link, { headers: this.#headers })
    const [cookie] = page.headers.getSetCookie()
    if (cookie !== undefined) this.#headers.cookie = cookie.split(';')[0] ?? ''
    const [, token = ''] = /name="beckon" value="([^"]+)"/.exec(await page.text()) ?? []
    const body = new URLSearchParams({ beckon: token })
    const left = await (await fetch(link, { method: 'POST', headers: this.#headers, body })).text()
    const [, url = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(left) ?? []
    return url.replaceAll('&amp;', '&')
  }

  async get(url: string): Promise<string> {
    return (await fetch(url, { headers: this.#headers })).text()
  }

  /** Where a page elsewhere sends the browser back to. */
  async sentBackFrom(url: string): Promise<string> {
    const response = await fetch(url, { redirect: 'manual' })
    return response.headers.get('location') ?? ''
  }
}
