import { connectWidget } from './page/connect-widget.js'

/** An import of ours, as a page has it that nobody bundles. */
const ours = /import\s*\{\s*connectWidget\s*\}\s*from\s*(['"])beckon\/widget\1\s*;?/g
const others = /(?:^|[;\n>])\s*import\s*(?:[\w*{][^;\n]*?from\s*)?['"]([^'"]+)['"]/

/** A bundler may mark functions by a helper that is not there on a page. */
const runtime = `const connectWidget=(()=>{const __name=f=>f;return ${connectWidget}})();`

/**
 * The page of a widget, with everything that it needs in it: a host lets it load nothing.
 * @throws TypeError for a page that imports something
 */
export function pageOf({
  name,
  html,
  module = '',
}: {
  readonly name: string
  readonly html?: string
  readonly module?: string
}): string {
  if (html !== undefined)
    return checked(
      name,
      html.replace(ours, () => runtime),
    )
  const script = `${runtime}\n${checked(name, module.replace(ours, ''))}`.replaceAll(/<\/(script)/gi, '<\\/$1')
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(name)}</title>
</head>
<body>
<script type="module">
${script}
</script>
</body>
</html>
`
}

function checked(name: string, text: string): string {
  const [, imported] = others.exec(text) ?? []
  if (imported !== undefined)
    throw new TypeError(
      `The page of the widget "${name}" imports "${imported}", which no host loads. Bundle it into one file first.`,
    )
  return text
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
