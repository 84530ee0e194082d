/** Who an app is, as agents and people are told. */
export interface AppIdentity {
  /** Lower case, as in `todo_list`: the first part of the name of each of its tools. */
  readonly id: string
  /** What people call it. */
  readonly name: string
  readonly description?: string
  readonly version?: string
  readonly iconUrl?: string
  /** Where it runs; a page has its own origin. */
  readonly origin?: string
}

const idPattern = /^[a-z][a-z0-9_]*$/
/** A gateway has tools that begin like this. */
const reserved = /^(tesseron|mcp|system)(__|$)/
const namePattern = /^[A-Za-z0-9_.-]{1,64}$/

/** Checks the identity of an app when it is made, and not when the first gateway refuses it. */
export function checkIdentity({ id, name }: AppIdentity): void {
  if (!idPattern.test(id))
    throw new TypeError(`The app id "${id}" is not of lower-case letters, digits and underscores, a letter first.`)
  if (reserved.test(id)) throw new TypeError(`The app id "${id}" is reserved. Choose another one.`)
  if (name.trim() === '') throw new TypeError(`The app "${id}" has no name. Give it the one that people know.`)
}

/** Checks the name of an action or a resource, which becomes part of a tool's name or of a URI. */
export function checkName(kind: 'action' | 'resource', name: string): void {
  if (!namePattern.test(name))
    throw new TypeError(`The ${kind} "${name}" must be named with up to 64 of A-Z, a-z, 0-9, "_", "-" and ".".`)
}
