// What the snippets in the documentation take for granted.
declare const todos: { done(): number; clear(): number }
declare const stock: { lookup(warehouseId: string): Promise<{ units: number }> }
declare const ci: {
  build(env: string, options: { idempotencyKey: string }): Promise<string>
  release(build: string): Promise<{ url: string }>
}
declare const users: { from(request: Request): string | undefined }
declare const bank: { pay(to: string, amount: number, receipt: string | undefined): string }
declare module '*/notes.js' {
  export function createNotes(): import('beckon').BeckonServer
}
