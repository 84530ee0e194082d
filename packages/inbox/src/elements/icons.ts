import { html, type SVGTemplateResult, svg, type TemplateResult } from 'lit'

/** The drawings there are. */
export type IconName =
  | 'search'
  | 'close'
  | 'back'
  | 'check'
  | 'cross'
  | 'dash'
  | 'clock'
  | 'warning'
  | 'info'
  | 'outside'
  | 'bell'
  | 'bellOff'
  | 'keyboard'
  | 'inbox'
  | 'filter'
  | 'person'

const shapes: Record<IconName, SVGTemplateResult> = {
  search: svg`<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>`,
  close: svg`<path d="m6 6 12 12M18 6 6 18"/>`,
  back: svg`<path d="M15 5l-7 7 7 7"/>`,
  check: svg`<path d="m5 12.5 4.5 4.5L19 7.5"/>`,
  cross: svg`<path d="m7 7 10 10M17 7 7 17"/>`,
  dash: svg`<path d="M6 12h12"/>`,
  clock: svg`<circle cx="12" cy="12" r="8"/><path d="M12 7.5V12l3 2"/>`,
  warning: svg`<path d="M12 4 2.8 19.5h18.4Z"/><path d="M12 10v4.5m0 2.4v.1"/>`,
  info: svg`<circle cx="12" cy="12" r="8.5"/><path d="M12 11v5m0-8.2v.1"/>`,
  outside: svg`<path d="M14 4.5h5.5V10M19.5 4.5 11 13M17 14v5H5V7h5"/>`,
  bell: svg`<path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15Zm4.3 3a1.8 1.8 0 0 0 3.4 0"/>`,
  bellOff: svg`<path d="M6 16.5V11a6 6 0 0 1 9.5-4.9M18 11v5.5l1.5 1.5h-13M10.3 19.5a1.8 1.8 0 0 0 3.4 0M4 4l16 16"/>`,
  keyboard: svg`<rect x="2.5" y="6" width="19" height="12" rx="2"/><path d="M6 10h.1M10 10h.1M14 10h.1M18 10h.1M8 14h8"/>`,
  filter: svg`<path d="M4 6h16M7 12h10M10 18h4"/>`,
  person: svg`<circle cx="12" cy="8" r="3.5"/><path d="M5 19.5a7 7 0 0 1 14 0"/>`,
  inbox: svg`<path d="M4 13.5 6.5 5h11L20 13.5V19H4Zm0 0h5a3 3 0 0 0 6 0h5"/>`,
}

/** A drawing in the colour of the text around it. It says nothing to a screen reader. */
export function icon(name: IconName, size = 20): TemplateResult {
  return html`<svg
    width=${size}
    height=${size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.75"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >${shapes[name]}</svg>`
}
