// What may stand where an address is written. Threat: an address with a line break puts headers of its own into a letter, one
// with a comma sends it to others as well, one with angle brackets says another than it shows.
const maxChars = 254
const maxLocalChars = 64

/** Whether a text is one address for e-mail, and nothing else. Quoted local parts and literal IP addresses are not taken. */
export function isAddress(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > maxChars) return false
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || local.length > maxLocalChars) return false
  const atoms = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
  const labels = /^([\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)*[\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u
  return atoms.test(local) && labels.test(domain)
}
