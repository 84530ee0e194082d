/** The body of a response as text. @throws once it is longer than `maxBytes`, without reading on */
export async function boundedText(
  response: Response,
  maxBytes: number,
  sender: string = response.url,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Error(`${sender} sent more than ${maxBytes} bytes.`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
