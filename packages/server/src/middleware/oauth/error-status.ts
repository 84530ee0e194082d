/**
 * The answer of a token endpoint, with a status that says what is in it. GitHub, and others, send their errors with 200, which
 * would be taken for a grant that cannot be read: a refresh token that was revoked would never be asked for again.
 */
export async function withErrorStatus(response: Response): Promise<Response> {
  if (!response.ok) return response
  const text = await response.text()
  return new Response(text, { status: hasError(text) ? 400 : response.status, headers: response.headers })
}

function hasError(text: string): boolean {
  try {
    return typeof JSON.parse(text)?.error === 'string'
  } catch {
    return false
  }
}
