/** How the pages of a server look. */
export interface Brand {
  /** Default: the name of the server. */
  readonly name?: string | undefined
  /** An image, at an https address. */
  readonly logoUrl?: string | undefined
  /** The colour of buttons: `#rrggbb`. */
  readonly accent?: string | undefined
}

/** A brand that was looked at, with the colours that can be read on it. */
export interface CheckedBrand {
  readonly name: string
  readonly logoUrl: string | undefined
  readonly accent: string
  /** Text on the accent. */
  readonly onAccent: string
}

const defaultAccent = '#1f5fd0'

/** @throws TypeError for what has no place in a page */
export function checkBrand({ name, logoUrl, accent = defaultAccent }: Brand, server: string): CheckedBrand {
  if (!/^#[\da-f]{6}$/i.test(accent))
    throw new TypeError(`brand.accent is "${accent}", and must be like ${defaultAccent}.`)
  if (logoUrl !== undefined && !/^https:$/.test(protocolOf(logoUrl)))
    throw new TypeError(`brand.logoUrl is "${logoUrl}", and must be an https address.`)
  return {
    name: name ?? server,
    logoUrl: logoUrl && new URL(logoUrl).href,
    accent,
    onAccent: luminance(accent) > 0.179 ? '#000000' : '#ffffff',
  }
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : ''
}

/** Of a colour, as WCAG 2 has it: above 0.179, black has more contrast than white. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(start => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
