import { base64 } from '#platform'

/** A client's own credentials as RFC 6749 2.3.1 wants them within Basic. */
export function clientAuthorization(clientId: string, clientSecret: string): string {
  const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`
  return `Basic ${base64(pair)}`
}

function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}
