import { spawn } from 'node:child_process'

/** The program that opens an address here, where there is a screen to open it on. */
function opener(): [string, ...string[]] | undefined {
  const { env, platform } = process
  if (env.CI !== undefined || env.BECKON_BROWSER === 'none') return undefined
  if (env.BECKON_BROWSER) return [env.BECKON_BROWSER]
  if (platform === 'darwin') return ['open']
  // Without a shell, which would read "&" in an address as the end of a command.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}

/** Opens an address in the person's browser; false when there is none. */
export function openBrowser(url: string): boolean {
  const program = opener()
  if (program === undefined) return false
  const [command, ...args] = program
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => console.error(`${command} cannot be started. Open this address yourself: ${url}`))
  child.unref()
  return true
}
