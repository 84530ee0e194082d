import { directionContext, type WidgetHostContext } from '@beckon/core/widgets'

/** The colours of ours that MCP Apps have names for. */
const colours: Readonly<Record<string, string>> = {
  '--color-background-primary': '--_raised',
  '--color-background-secondary': '--_sunken',
  '--color-background-tertiary': '--_surface',
  '--color-background-info': '--_tint',
  '--color-background-warning': '--_warn-tint',
  '--color-background-danger': '--_danger-tint',
  '--color-background-inverse': '--_accent',
  '--color-text-primary': '--_ink',
  '--color-text-secondary': '--_muted',
  '--color-text-inverse': '--_on-accent',
  '--color-text-info': '--_accent',
  '--color-text-success': '--_good',
  '--color-text-warning': '--_warn',
  '--color-text-danger': '--_danger',
  '--color-border-primary': '--_edge',
  '--color-border-secondary': '--_line',
  '--color-ring-primary': '--_accent',
}

/** How the inbox looks, as a widget is told: colours as they are now, by the names of MCP Apps. */
export function hostContext(element: Element, locale: string): WidgetHostContext {
  const probe = element.ownerDocument.createElement('i')
  element.shadowRoot?.append(probe)
  const variables = Object.fromEntries(
    Object.entries(colours).map(([name, ours]) => {
      probe.style.color = `var(${ours})`
      return [name, getComputedStyle(probe).color]
    }),
  )
  // White in the dark is what a dark scheme makes of it.
  probe.style.color = 'light-dark(#fff, #000)'
  const isDark = getComputedStyle(probe).color === 'rgb(0, 0, 0)'
  probe.remove()
  const { fontFamily, direction } = getComputedStyle(element)
  return {
    theme: isDark ? 'dark' : 'light',
    locale,
    displayMode: 'inline',
    [directionContext]: direction,
    styles: { variables: { ...variables, '--font-sans': fontFamily, '--border-radius-md': '10px' } },
  }
}
