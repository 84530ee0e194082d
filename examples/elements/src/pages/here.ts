/** Where the desk is, which ask this page is about, and how the page is let in: what any page would have from its backend. */
const { searchParams } = new URL(location.href)
export const desk: string = searchParams.get('desk') ?? ''
export const session: string = searchParams.get('session') ?? ''
export const request: string = searchParams.get('request') ?? ''

export async function getTicket(): Promise<string> {
  const { ticket } = await (await fetch('/desk-ticket')).json()
  return ticket
}
