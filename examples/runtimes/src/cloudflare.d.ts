declare module 'cloudflare:workers' {
  import type { DurableObjectStorage } from '@beckon/sqlite/durable-object'

  export const env: { readonly BECKON_KEY: string }

  export class DurableObject<Env> {
    readonly ctx: { readonly storage: DurableObjectStorage }
    readonly env: Env
    constructor(ctx: DurableObject<Env>['ctx'], env: Env)
  }
}
