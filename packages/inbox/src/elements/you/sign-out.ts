/** Signs out of a desk; false where it knows of no such thing, since whoever lets people in keeps no session there. */
export async function signOut(api: string): Promise<boolean> {
  const response = await fetch(new URL('/sign-out', api), { method: 'POST', redirect: 'manual' }).catch(() => undefined)
  return response !== undefined && (response.ok || response.type === 'opaqueredirect')
}
