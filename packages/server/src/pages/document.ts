// Threat: a page that lets foreign script run, is framed, cached, or tells where the person came from. Nothing loads but
// the one style sheet and the brand's logo; forms go to this server only.
import { sha256 } from '#platform'
import type { CheckedBrand } from './brand.js'
import { Html, html } from './html.js'
import { styleOf } from './style.js'

/** One page. */
export interface Page {
  title: string
  body: Html
  status?: number
  /** What runs on it: no other script does. */
  script?: string
  /** Its script talks to this server. */
  connects?: boolean
  /** It has images in itself. */
  hasImages?: boolean
  /** Where the page leads by itself. */
  refresh?: string
  headers?: Record<string, string>
}

/** Makes whole documents of pages, all with the same safe headers. */
export function documents(brand: CheckedBrand): (page: Page) => Response {
  const style = styleOf(brand)
  const styleHash = sha256(style, 'base64')
  const policyFor = (
    script: string | undefined,
    { hasImages, connects }: { hasImages: boolean; connects: boolean },
  ) => {
    const images = [
      ...(brand.logoUrl === undefined ? [] : [new URL(brand.logoUrl).origin]),
      ...(hasImages ? ['data:'] : []),
    ]
    return [
      "default-src 'none'",
      `style-src 'sha256-${styleHash}'`,
      ...(script === undefined ? [] : [`script-src 'sha256-${sha256(script, 'base64')}'`]),
      ...(connects ? ["connect-src 'self'"] : []),
      ...(images.length === 0 ? [] : [`img-src ${images.join(' ')}`]),
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; ')
  }

  return ({ title, body, status = 200, refresh, script, hasImages = false, connects = false, headers = {} }) =>
    new Response(
      html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refresh !== undefined && html`<meta http-equiv="refresh" content="0; url=${refresh}">`}
<title>${title} · ${brand.name}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<p class="brand">${brand.logoUrl !== undefined && html`<img src="${brand.logoUrl}" alt="">`}<bdi>${brand.name}</bdi></p>
${body}
</main>
${script !== undefined && html`<script>${new Html(script)}</script>`}
</body>
</html>
`.toString(),
      {
        status,
        headers: {
          ...headers,
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': policyFor(script, { hasImages, connects }),
          'Cache-Control': 'no-store',
          'Referrer-Policy': 'no-referrer',
          'X-Content-Type-Options': 'nosniff',
          'X-Frame-Options': 'DENY',
          'Cross-Origin-Opener-Policy': 'same-origin',
        },
      },
    )
}
