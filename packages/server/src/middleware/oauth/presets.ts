import { type OAuth, type OAuthOptions, oauth } from './oauth.js'

/** What a preset does not know: who you are there. */
export type PresetOptions = Omit<OAuthOptions, 'issuer' | 'endpoints'> & { clientSecret: string }

/**
 * Sign-in at GitHub. Register the callback `<publicUrl>/beckon/github/callback`.
 * @example
 * const hub = github({ clientId, clientSecret, scopes: ['repo'] })
 */
export function github(options: PresetOptions): OAuth {
  return oauth({
    name: 'github',
    ...options,
    endpoints: {
      authorization: 'https://github.com/login/oauth/authorize',
      token: 'https://github.com/login/oauth/access_token',
    },
  })
}

/**
 * Sign-in at Google. Register the callback `<publicUrl>/beckon/google/callback`.
 * @example
 * const drive = google({ clientId, clientSecret, scopes: ['https://www.googleapis.com/auth/drive.readonly'] })
 */
export function google(options: PresetOptions): OAuth {
  return oauth({
    name: 'google',
    ...options,
    issuer: 'https://accounts.google.com',
    // Google gives a refresh token only to who asks for it, and only with a consent.
    parameters: { access_type: 'offline', prompt: 'consent', ...options.parameters },
  })
}
