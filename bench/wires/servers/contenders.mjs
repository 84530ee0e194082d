/**
 * Who is measured, on which wire.
 * @typedef {object} Contender
 * @property {string} name
 * @property {string} server a file of this folder
 * @property {'rounds' | 'push'} wire
 * @property {'beckon' | 'bare' | 'tmcp'} [role] what ratios are taken of and to
 * @property {boolean} [getStream] its asks go to the GET stream only
 */

/** @type {Contender[]} */
export const contenders = [
  { name: 'Beckon', server: 'beckon', wire: 'rounds', role: 'beckon' },
  { name: 'bare node:http', server: 'bare', wire: 'rounds', role: 'bare' },
  { name: 'tmcp', server: 'tmcp', wire: 'rounds', role: 'tmcp' },
  { name: 'SDK Server', server: 'sdk-low', wire: 'rounds' },
  { name: 'SDK McpServer', server: 'sdk-mcp', wire: 'rounds' },
  { name: 'Beckon', server: 'beckon', wire: 'push', role: 'beckon' },
  { name: 'bare node:http', server: 'bare-push', wire: 'push', role: 'bare' },
  { name: 'tmcp', server: 'tmcp', wire: 'push', role: 'tmcp' },
  { name: 'SDK McpServer', server: 'sdk-push', wire: 'push' },
  { name: 'fastmcp', server: 'fastmcp', wire: 'push', getStream: true },
]
