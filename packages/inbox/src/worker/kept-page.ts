// The page and its files, kept for when the desk is away: it opens, shows that there is no connection, and keeps what someone
// writes. Nothing of a desk is kept here, and while the desk answers, its answer counts: a sign-in above all.

const name = 'beckon-page'
const maxFiles = 60

/** Whether a request is for what is kept. A link that signs someone in is not: it has a query. */
export function isKept({ url, method, mode }: Request, origin: string): 'page' | 'file' | undefined {
  const { origin: its, pathname, search } = new URL(url)
  if (method !== 'GET' || its !== origin || search !== '') return undefined
  if (pathname.startsWith('/assets/')) return 'file'
  return mode === 'navigate' && (pathname === '/' || pathname.startsWith('/asks/')) ? 'page' : undefined
}

/** The page as the desk has it, else as it was. */
export async function page(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
    if (isWhole(response)) void keep('/', response.clone())
    return response
  } catch (error) {
    const kept = await (await caches.open(name)).match('/')
    if (kept === undefined) throw error
    return kept
  }
}

/** A file whose name changes with what is in it. */
export async function file(request: Request): Promise<Response> {
  const kept = await (await caches.open(name)).match(request.url)
  if (kept !== undefined) return kept
  const response = await fetch(request)
  if (isWhole(response)) void keep(request.url, response.clone())
  return response
}

/** Keeps what the page needs to open. */
export async function keepPage(): Promise<void> {
  const response = await fetch('/')
  if (!isWhole(response)) return
  const text = await response.clone().text()
  await keep('/', response)
  const files = new Set(Array.from(text.matchAll(/\/assets\/[\w.-]+/g), ([path]) => path))
  await Promise.all([...files].map(path => file(new Request(path))))
}

async function keep(address: string, response: Response): Promise<void> {
  const cache = await caches.open(name)
  await cache.put(address, response)
  // In the order that they were kept in: those of earlier pages go first.
  const keys = await cache.keys()
  for (const old of keys.slice(0, Math.max(0, keys.length - maxFiles))) await cache.delete(old)
}

function isWhole({ ok, redirected, type }: Response): boolean {
  return ok && !redirected && type === 'basic'
}
