// Where a client that was turned away learns whom to get a token from (RFC 9728).

const wellKnown = '/.well-known/oauth-protected-resource'

/** The address of the metadata of a resource: its path comes after the well-known one. */
export function metadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource)
  return `${origin}${wellKnown}${pathname === '/' ? '' : pathname}`
}

/** Whether a path may be that of the metadata; which it is of can be told once the resource is known. */
export function isMetadataPath(path: string): boolean {
  return path.startsWith(wellKnown)
}

/** Whether a path is that of the metadata of this very resource, or of whatever is on this host. */
export function isMetadataOf(resource: string, path: string): boolean {
  return path === wellKnown || path === new URL(metadataUrl(resource)).pathname
}

export interface ResourceMetadata {
  readonly resource: string
  readonly issuer: string
  readonly scopes: readonly string[]
  readonly name: string
}

export function resourceMetadata({ resource, issuer, scopes, name }: ResourceMetadata): Record<string, unknown> {
  return {
    resource,
    authorization_servers: [issuer],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
    resource_name: name,
  }
}
