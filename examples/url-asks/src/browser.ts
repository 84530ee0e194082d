// What a person's browser does on a page of a Beckon server: keeps its cookie, sends its form, follows where it leads.

/** Sends the form of a page, with what the person typed, and gives back the page that comes then. */
export async function submit(url: string, typed: Record<string, string> = {}): Promise<string> {
  const page = await fetch(url)
  const cookie = page.headers
    .getSetCookie()
    .map(set => set.split(';')[0])
    .join('; ')
  const [, token = ''] = /name="beckon" value="([^"]+)"/.exec(await page.text()) ?? []
  const form = new URLSearchParams({ beckon: token })
  for (const [name, value] of Object.entries(typed)) form.set(`field-${name}`, value)
  const sent = await fetch(url, { method: 'POST', headers: { cookie }, body: form })
  return sent.text()
}

/** Where a page goes on to. */
export function leadsTo(page: string): URL {
  const [, url = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(page) ?? []
  return new URL(url.replaceAll('&amp;', '&'))
}
