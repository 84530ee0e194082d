import type { InspectedUrl, RefusedUrl, UrlWarning } from '@beckon/core'

/** Why a link cannot be opened, in German. */
export function urlRefused({ reason }: RefusedUrl): string {
  return refusals[reason]
}

/** What to beware of in a link, in German. */
export function urlWarning({ kind, quotes = [] }: UrlWarning, link: InspectedUrl): string {
  return warnings[kind](link, quotes)
}

const unencrypted = 'Die Verbindung ist nicht verschlüsselt: andere können mitlesen und sie verändern.'

const refusals: Readonly<Record<RefusedUrl['reason'], string>> = {
  'not-absolute': 'Das ist keine vollständige Web-Adresse.',
  scheme: 'Nur Web-Adressen (https) lassen sich öffnen.',
  malformed: 'Das ist keine richtige Web-Adresse.',
  insecure: unencrypted,
}

const warnings: Readonly<Record<UrlWarning['kind'], (link: InspectedUrl, quotes: readonly string[]) => string>> = {
  'user-info': ({ host }) => `Was vor dem „@“ steht, ist nicht die Seite: es geht zu ${host}.`,
  disguised: ({ host }) => `Das ist irreführend geschrieben: es geht zu ${host}.`,
  invisible: () => 'Das enthält unsichtbare Zeichen.',
  'look-alike': (_, [label, reading]) =>
    `„${label}“ enthält Buchstaben eines anderen Alphabets und sieht aus wie „${reading}“.`,
  'mixed-script': (_, [label]) => `„${label}“ mischt Buchstaben verschiedener Alphabete.`,
  'odd-letters': (_, [label]) => `„${label}“ enthält Zeichen, die in Namen unüblich sind.`,
  'ip-address': ({ host }) => `${host} ist eine Nummer, kein Name einer Seite.`,
  insecure: () => unencrypted,
  punycode: (_, [label, letters]) => `„${label}“ enthält die Buchstaben „${letters}“.`,
  reordered: () => 'Teile des Namens laufen von rechts nach links.',
  'embedded-domain': (_, [domain]) => `Das ist nicht „${domain}“: das Ende des Namens zählt.`,
  loopback: () => 'Das führt zu einem Programm auf dem Gerät, auf dem Sie es öffnen.',
  port: ({ port }) => `Das benutzt den Port ${port}.`,
}
