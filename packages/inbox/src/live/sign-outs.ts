// Who signs out on one page of a browser has signed out on all of them. Each page of a desk is told, so that none goes on showing what
// they were asked; a page that the browser keeps for going back is told too, by which it is kept no more.

const channel = 'beckon/signed-out'

/** Tells every page of this browser, this one as well, that someone signed out of a desk. */
export function tellOfSignOut(desk: string): void {
  const pages = new BroadcastChannel(channel)
  pages.postMessage(desk)
  pages.close()
}

/** Hears of it, until the result is called. */
export function onSignOut(hear: (desk: unknown) => void): () => void {
  const pages = new BroadcastChannel(channel)
  pages.onmessage = ({ data }) => hear(data)
  return () => pages.close()
}
