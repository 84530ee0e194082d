import { type CSSResult, css } from 'lit'

/** The colours and measures of every element, by the page's `color-scheme`. Each can be set by its `--beckon-*` name. */
export const theme: CSSResult = css`
  :host {
    --_font: var(--beckon-font, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif);
    --_mono: var(--beckon-mono, ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace);
    --_surface: var(--beckon-surface, light-dark(#f5f5f2, #121316));
    --_raised: var(--beckon-raised, light-dark(#ffffff, #1b1d22));
    --_sunken: var(--beckon-sunken, light-dark(#efefeb, #17181c));
    --_ink: var(--beckon-ink, light-dark(#1c1e24, #eceef3));
    --_muted: var(--beckon-muted, light-dark(#5b606c, #a4a9b6));
    --_line: var(--beckon-line, light-dark(#e0e0da, #2d3038));
    --_edge: var(--beckon-edge, light-dark(#8b8f99, #6b7080));
    /* One colour is enough: dark enough to be read on light, light enough to be read on dark, whatever it is. */
    --_accent: light-dark(
      oklch(from var(--beckon-accent, #3f4fc4) min(l, 0.48) c h),
      oklch(from var(--beckon-accent, #a9b4ff) max(l, 0.78) min(c, 0.13) h)
    );
    --_on-accent: var(
      --beckon-on-accent,
      light-dark(#ffffff, oklch(from var(--beckon-accent, #a9b4ff) 0.22 min(c, 0.07) h))
    );
    --_tint: var(
      --beckon-tint,
      light-dark(
        oklch(from var(--beckon-accent, #3f4fc4) 0.95 min(c, 0.02) h),
        oklch(from var(--beckon-accent, #a9b4ff) 0.29 min(c, 0.05) h)
      )
    );
    --_good: var(--beckon-good, light-dark(#1c6b43, #7fd6a5));
    --_warn: var(--beckon-warn, light-dark(#7a4d00, #f0c26b));
    --_warn-tint: var(--beckon-warn-tint, light-dark(#fdf3dc, #33290f));
    --_danger: var(--beckon-danger, light-dark(#b3261e, #ffb4ab));
    --_danger-tint: var(--beckon-danger-tint, light-dark(#fceeec, #3a1c1a));
    --_radius: var(--beckon-radius, 10px);
    font: 400 1rem/1.5 var(--_font);
    color: var(--_ink);
    -webkit-text-size-adjust: 100%;
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  /* Someone has colours of their own: names of theirs are left as they are. */
  @media (forced-colors: active) {
    :host {
      --_surface: Canvas;
      --_raised: Canvas;
      --_sunken: Canvas;
      --_ink: CanvasText;
      --_muted: CanvasText;
      --_line: CanvasText;
      --_edge: ButtonBorder;
      --_accent: Highlight;
      --_on-accent: HighlightText;
      --_tint: Canvas;
      --_good: CanvasText;
      --_warn: CanvasText;
      --_warn-tint: Canvas;
      --_danger: CanvasText;
      --_danger-tint: Canvas;
    }
  }
  :host([hidden]) {
    display: none;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  bdi,
  .text {
    unicode-bidi: isolate;
  }
  .time {
    unicode-bidi: plaintext;
  }
  .quiet {
    color: var(--_muted);
    font-size: 0.875rem;
  }
  .sr {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  svg {
    display: block;
    flex: none;
  }
  @media (prefers-reduced-motion: no-preference) {
    button,
    .option,
    .row {
      transition:
        background-color 120ms,
        border-color 120ms;
    }
  }
`

/** Buttons and fields. */
export const controls: CSSResult = css`
  button,
  .button {
    font: inherit;
    font-weight: 550;
    color: var(--_ink);
    background: var(--_raised);
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    min-block-size: 2.75rem;
    padding: 0.5rem 1.125rem;
    cursor: pointer;
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.5rem;
    text-decoration: none;
  }
  button:hover,
  .button:hover {
    background: var(--_sunken);
  }
  button:disabled {
    cursor: default;
    opacity: 0.6;
  }
  .primary {
    background: var(--_accent);
    border-color: var(--_accent);
    color: var(--_on-accent);
  }
  .primary:hover {
    background: color-mix(in oklab, var(--_accent) 88%, var(--_ink));
  }
  @media (forced-colors: active) {
    .primary,
    .primary:hover {
      background: var(--_accent);
      forced-color-adjust: none;
    }
    button:disabled {
      color: GrayText;
      border-color: GrayText;
      opacity: 1;
    }
  }
  .plain {
    background: none;
    border-color: transparent;
    color: var(--_muted);
    font-weight: 450;
    padding-inline: 0.75rem;
  }
  .plain:hover {
    color: var(--_ink);
    background: var(--_sunken);
  }
  .icon {
    padding: 0;
    inline-size: 2.75rem;
  }
  .small {
    min-block-size: 2rem;
    padding: 0.125rem 0.625rem;
    font-size: 0.875rem;
  }
  @media (pointer: coarse) {
    .small {
      min-block-size: 2.75rem;
    }
  }
  input:not([type='radio'], [type='checkbox']),
  select,
  textarea {
    font: inherit;
    color: inherit;
    background: var(--_raised);
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    min-block-size: 2.75rem;
    padding: 0.5625rem 0.75rem;
    inline-size: 100%;
    margin: 0;
  }
  input::placeholder,
  textarea::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  textarea {
    display: block;
    resize: vertical;
    field-sizing: content;
    max-block-size: 24rem;
  }
  input[aria-invalid='true'],
  textarea[aria-invalid='true'] {
    border-color: var(--_danger);
  }
  input[type='radio'],
  input[type='checkbox'] {
    accent-color: var(--_accent);
    inline-size: 1.125rem;
    block-size: 1.125rem;
    margin: 0.1875rem 0 0;
    flex: none;
  }
`
