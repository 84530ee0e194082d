export type { AppStatus } from './app-status.js'
export { createGateway, type Gateway, type GatewayOptions } from './create-gateway.js'
export { type FoundApp, type FoundApps, listApps } from './list-apps.js'
