import { type AskDesk, remoteDeskFrom } from 'beckon/desk/adapter'
import { usageError } from '../cli-error.js'

/**
 * A desk elsewhere by the address that `--desk` gives, and the address of its inbox, which has no token in it.
 *
 * @throws CliError for an address that cannot be one of a desk
 */
export function deskAt(address: string): { url: string; desk: AskDesk } {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) {
    throw usageError('--desk is the address of a desk: https://name:token@desk.example')
  }
  const url = new URL(address)
  url.username = ''
  url.password = ''
  try {
    return { url: url.href, desk: remoteDeskFrom(address) }
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error))
  }
}
