// The one definition of a configuration: its type, its checks, its JSON Schema and the names of its variables come from here.
import { z } from 'zod'
import { readSecret, type SecretPlace, type SecretSources, secretMark, secretPlace } from './secret.js'

export type Config = z.output<ReturnType<typeof configSchema>>

const name = z.string().regex(/^[\w-]{1,100}$/, 'has letters, digits, "-" and "_"')
const port = z.int().min(0).max(65_535)
const count = z.int().min(1)
const minTokenChars = 16

const names = (what: string) => z.array(z.string().min(1)).max(10_000).optional().describe(what)

const audience = (what: string) =>
  z
    .strictObject({ principals: names('By principal.'), groups: names('By group.') })
    .optional()
    .describe(what)

/** What a configuration may say. Secrets are read while it is checked, so that a wrong place is a mistake like any other. */
export function configSchema(sources: SecretSources) {
  const read = (place: SecretPlace, { addIssue }: { addIssue: (message: string) => void }): string => {
    try {
      return readSecret(place, sources)
    } catch (error) {
      addIssue(error instanceof Error ? error.message : String(error))
      return z.NEVER
    }
  }
  const secret = (description: string) =>
    secretPlace
      .transform((place, { addIssue }) => read(place, { addIssue: message => addIssue({ code: 'custom', message }) }))
      .meta({ description, [secretMark]: true })
  const token = (description: string) =>
    secret(description)
      .refine(isToken, `must have at least ${minTokenChars} letters, digits or any of . ~ + / - _`)
      .meta({ description, [secretMark]: true })
  const addressOrSecret = (description: string, without: z.ZodType<string, string>) =>
    z
      .union([
        without.refine(
          hasNoPassword,
          'has a password in it, which does not belong here: put the whole address in a file, and write { "file": "path" }',
        ),
        secretPlace.transform((place, { addIssue }) =>
          read(place, { addIssue: message => addIssue({ code: 'custom', message }) }),
        ),
      ])
      .meta({ description, [secretMark]: true })

  return z.strictObject({
    $schema: z.string().optional(),
    publicUrl: z
      .url({ protocol: /^https?$/, error: 'must be an address such as "https://desk.example"' })
      .describe('Where people and servers reach the desk; https, unless it is this machine.'),
    listen: z
      .strictObject({
        host: z.string().min(1).default('127.0.0.1').describe('Default: 127.0.0.1.'),
        port: port.default(4748).describe('Default: 4748.'),
        certificate: z
          .string()
          .optional()
          .describe('A file with a certificate and its chain (PEM); else a proxy has it.'),
        certificateKey: z.string().optional().describe('A file with the key of the certificate (PEM).'),
      })
      .prefault({})
      .describe('Where the desk listens.'),
    monitoring: z
      .strictObject({
        host: z.string().min(1).default('127.0.0.1').describe('Default: 127.0.0.1.'),
        port: port.default(9748).describe('Default: 9748.'),
      })
      .prefault({})
      .describe('Where /healthz, /readyz and /metrics are: not for the world.'),
    store: addressOrSecret(
      'postgres://..., redis://..., redis+sentinel://..., redis+cluster://..., the path of a SQLite file, or memory.',
      z.string().min(1),
    ),
    key: secret('Wraps the keys that are kept in the store; several with commas between, the newest first.').optional(),
    requireSync: z.boolean().optional().describe('Postgres: acknowledges nothing that is not replicated.'),
    replicas: z.int().min(0).optional().describe('Redis: how many replicas have to have a write.'),
    proxies: names('Addresses of proxies in front, whose X-Forwarded-For is believed.'),
    allowedHosts: names('Other host names that requests may be for.'),
    allowedOrigins: names('Origins of other pages that may call with a token.'),
    oidc: z
      .strictObject({
        issuer: z.url({ error: 'must be the address of the provider' }).describe('Exactly as the provider writes it.'),
        clientId: z.string().min(1),
        clientSecret: secret('Absent for a public client.').optional(),
        scopes: names('Default: openid, profile.'),
        principalClaim: z
          .string()
          .optional()
          .describe(
            'A claim that says by itself who someone is, such as email. Default: issuer and sub: https://id.example#7.',
          ),
        groupsClaim: z.string().optional().describe('In the ID token, else at the userinfo endpoint. Default: groups.'),
        roleClaim: z.string().optional().describe('A claim that says admin or auditor. Default: none.'),
        idleMinutes: count.optional().describe('How long a session lives unused. Default: 480.'),
        maxHours: count.optional().describe('How long a session lives at most. Default: 24.'),
      })
      .describe('The OpenID provider that people sign in at.'),
    programs: z
      .record(
        name,
        z.strictObject({
          token: token('Sent as Authorization: Bearer.'),
          role: z.enum(['admin', 'auditor'], 'is "admin" or "auditor"').optional(),
          groups: names('Which groups it is in.'),
        }),
      )
      .optional()
      .describe('Programs that use the desk over REST, by name: `beckon admin` is one.'),
    servers: z
      .record(name, token('At least 16 characters.'))
      .optional()
      .describe('Tokens of servers that open asks, by name. `beckon admin tokens` makes others.'),
    groups: z
      .record(z.string().min(1), z.array(z.string().min(1)))
      .optional()
      .describe('Who is in which group, by principal. Default: as the sign-in says.'),
    roles: z
      .strictObject({ admin: audience('See and change everything.'), auditor: audience('See everything.') })
      .optional()
      .describe('Who may do more than answer what they are asked.'),
    rules: z.string().optional().describe('A file of standing rules, read again when it has changed.'),
    webhooks: z
      .array(
        z.strictObject({
          url: z.url({ protocol: /^https?$/, error: 'must be an address with http: or https:' }),
          secret: secret('What the receiver checks the signature with.'),
          events: z.array(z.enum(['asked', 'answered', 'withdrawn', 'expired', 'reported'])).optional(),
          audience: audience('Only asks that some of these may answer.'),
          id: z.string().optional(),
        }),
      )
      .optional(),
    push: z
      .strictObject({
        enabled: z.boolean().default(true).describe('Default: true.'),
        contact: z.string().optional().describe('mailto: or https:, for push services.'),
      })
      .prefault({})
      .describe('Push notifications to browsers.'),
    email: z
      .strictObject({
        smtp: addressOrSecret(
          'smtps://name:password@mail.example',
          z.url({ protocol: /^smtps?$/, error: 'must be an address with smtp: or smtps:' }),
        ),
        from: z.string().min(3).describe('Where letters come from.'),
        allowPlain: z.boolean().optional().describe('Whether smtp: may go unencrypted to another machine.'),
      })
      .optional(),
    passkeys: z.boolean().default(false).describe('Whether people accept with a passkey what takes one.'),
    receipts: z.boolean().default(false).describe('Whether it is signed how every ask ends.'),
    limits: z
      .strictObject({
        maxOpenAsks: count.optional().describe('In a session. Default: 1,000.'),
        maxOpenAsksPerServer: count.optional().describe('Default: 10,000.'),
        maxOpenAsksPerCaller: count.optional().describe('Default: 1,000.'),
        maxOpenAsksInAll: count.optional(),
        maxSessionBytes: count.optional(),
        maxAskBytes: count.optional(),
        maxDraftBytes: count.optional(),
        maxSessions: count.optional().describe('That a person has made. Default: 1,000.'),
        maxConnections: count.optional().describe('Of one person to a node. Default: 2,000.'),
        maxMessageBytes: count.optional(),
      })
      .optional(),
    retention: z
      .strictObject({
        callsDays: count.optional().describe('Calls that are over. Default: 7.'),
        auditDays: count.optional().describe('The audit. Default: for good.'),
      })
      .optional(),
    log: z
      .strictObject({ level: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('Default: info.') })
      .prefault({}),
  })
}

function isToken(text: string): boolean {
  return text.length >= minTokenChars && /^[\w.~+/-]+=*$/.test(text)
}

function hasNoPassword(address: string): boolean {
  return !/^[\w+]+:\/\/.*:.*@/.test(address) && !/[?&]password=/i.test(address)
}
