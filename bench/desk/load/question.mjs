/** What everyone is asked. */
export const question = 'Deploy this build to production? Nobody has looked at it since Friday.'
