// How someone wants to be told, as the desk keeps it.

export interface ChannelView {
  readonly isOn: boolean
  readonly delayMs: number
  readonly digestMs: number
  readonly canDigest: boolean
  readonly canTest: boolean
  readonly state?: {
    readonly publicKey?: string
    readonly subscriptions?: readonly { readonly id: string }[]
    readonly address?: string
    readonly isOwn?: boolean
    readonly pending?: string
    readonly canSet?: boolean
  }
}

export interface Quiet {
  readonly from: string
  readonly to: string
  readonly timeZone: string
}

export interface DeskSettings {
  readonly channels: Readonly<Record<string, ChannelView>>
  readonly quiet?: Quiet
}

export function readSettings(): Promise<DeskSettings | undefined> {
  return request<DeskSettings>('GET', '/api/notify')
}

export function writeSettings({ channels, quiet }: DeskSettings, language: string): Promise<DeskSettings | undefined> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const wanted = Object.entries(channels).map(([name, { isOn, delayMs, digestMs }]) => [
    name,
    { isOn, delayMs, digestMs },
  ])
  const body = { channels: Object.fromEntries(wanted), language, timeZone, ...(quiet && { quiet }) }
  return request<DeskSettings>('PUT', '/api/notify', body)
}

export async function sendTest(channel: string): Promise<boolean> {
  return (await request<{ isSent: boolean }>('POST', '/api/notify/test', { channel }))?.isSent === true
}

export async function setAddress(address: string): Promise<boolean> {
  return (await request('POST', '/api/notify/email/address', { address })) !== undefined
}

export async function confirmAddress(code: string): Promise<boolean> {
  return (await request('POST', '/api/notify/email/confirm', { code })) !== undefined
}

export async function removeAddress(): Promise<boolean> {
  return (await request('DELETE', '/api/notify/email/address')) !== undefined
}

async function request<T>(method: string, path: string, body?: object): Promise<T | undefined> {
  const headers = { 'content-type': 'application/json' }
  try {
    const response = await fetch(path, { method, ...(body && { headers, body: JSON.stringify(body) }) })
    return response.ok ? ((await response.json()) as T) : undefined
  } catch {
    return undefined
  }
}
