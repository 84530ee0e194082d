/** What a warning is about. */
export type UrlWarningKind =
  | 'user-info'
  | 'disguised'
  | 'invisible'
  | 'look-alike'
  | 'mixed-script'
  | 'odd-letters'
  | 'ip-address'
  | 'insecure'
  | 'punycode'
  | 'reordered'
  | 'embedded-domain'
  | 'loopback'
  | 'port'

/** One thing that a person should know before opening a link: `danger` is a known trick, `note` is often harmless. */
export interface UrlWarning {
  kind: UrlWarningKind
  level: 'danger' | 'note'
  /** One plain sentence for the person; of the link it quotes ASCII, and letters found safe to show. */
  message: string
  /** What the sentence quotes of the name, in its order, for the same in another language. */
  quotes?: string[]
}

export function danger(kind: UrlWarningKind, message: string, ...quotes: string[]): UrlWarning {
  return { kind, level: 'danger', message, ...(quotes.length > 0 && { quotes }) }
}

export function note(kind: UrlWarningKind, message: string, ...quotes: string[]): UrlWarning {
  return { kind, level: 'note', message, ...(quotes.length > 0 && { quotes }) }
}
