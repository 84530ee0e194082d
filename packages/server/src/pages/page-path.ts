/** Which page of ours a path is for: `/beckon/<name>/<rest>`, also below a prefix; undefined where it is none. */
export function pagePathOf(path: string): { readonly name: string; readonly rest: string } | undefined {
  // The last one counts: what comes before is where someone mounted the server.
  const [, name, rest] = /^.*\/beckon\/([^/]+)\/(.+)$/.exec(path) ?? []
  return name === undefined || rest === undefined ? undefined : { name, rest }
}
