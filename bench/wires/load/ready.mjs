/**
 * Tells the load generator where this server listens, and from then on how much CPU time it has used. The server ends
 * with the load generator; one that was started by hand says its address and stays.
 * @param {string} url
 */
export function ready(url) {
  console.log(url)
  process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))
  process.on('disconnect', () => process.exit())
  process.send?.({ url })
}

/**
 * Listens on a port that is free, and says so.
 * @param {import('node:http').Server} server
 */
export function listen(server) {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object') ready(`http://127.0.0.1:${address?.port}/mcp`)
  })
}
