// What 2026-07-28 says in the `_meta` of a message.
export const versionKey = 'io.modelcontextprotocol/protocolVersion'
export const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'
export const clientKey = 'io.modelcontextprotocol/clientInfo'
export const logLevelKey = 'io.modelcontextprotocol/logLevel'
export const serverInfoKey = 'io.modelcontextprotocol/serverInfo'
export const subscriptionKey = 'io.modelcontextprotocol/subscriptionId'
