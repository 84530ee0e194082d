/** A client's own credentials as RFC 6749 2.3.1 wants them within Basic. */
export function clientAuthorization(clientId: string, clientSecret: string): string {
  const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}
