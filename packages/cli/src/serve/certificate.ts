import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../config/definition.js'
import { configError } from '../config/read-config.js'
import { codeOf } from '../config/secret.js'

/** A certificate with its key, as PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/**
 * The certificate of a configuration; undefined where TLS is a proxy's.
 * @throws CliError for one that no browser would take for this desk
 */
export function certificateOf({ listen, publicUrl }: Config, folder: string, now: number): Certificate | undefined {
  const { certificate, certificateKey } = listen
  if (certificate === undefined || certificateKey === undefined) return undefined
  const cert = textOf('listen.certificate', resolve(folder, certificate))
  const key = textOf('listen.certificateKey', resolve(folder, certificateKey))
  const known = parsed(
    `"listen.certificate": ${certificate} has no certificate in it (PEM)`,
    () => new X509Certificate(cert),
  )
  const secret = parsed(`"listen.certificateKey": ${certificateKey} has no key in it (PEM, without a passphrase)`, () =>
    createPrivateKey(key),
  )
  if (!known.checkPrivateKey(secret))
    throw configError(
      `"listen.certificateKey": ${certificateKey} is not the key of ${certificate}. Give the two that were made together.`,
    )
  const { hostname } = new URL(publicUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (known.checkHost(host) === undefined && known.checkIP(host) === undefined)
    throw configError(
      `"listen.certificate": ${certificate} is not for ${host}, where "publicUrl" is: it is for ${known.subjectAltName ?? known.subject}.`,
    )
  if (Date.parse(known.validTo) <= now)
    throw configError(
      `"listen.certificate": ${certificate} was good until ${known.validTo}. Give one that is good now.`,
    )
  return { cert, key }
}

function textOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw configError(`"${name}": ${path} cannot be read (${codeOf(error)}).`)
  }
}

function parsed<T>(problem: string, parse: () => T): T {
  try {
    return parse()
  } catch {
    throw configError(`${problem}.`)
  }
}
