export { type AccessToken, type OAuth, type OAuthOptions, oauth } from './oauth.js'
export { github, google, type PresetOptions } from './presets.js'
export type { Endpoints, ProviderOptions } from './provider.js'
