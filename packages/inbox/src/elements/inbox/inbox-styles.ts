import { type CSSResult, css } from 'lit'

export const inboxStyles: CSSResult = css`
  :host {
    display: block;
    block-size: 100%;
    min-block-size: 20rem;
    background: var(--_surface);
    container-type: inline-size;
  }
  .inbox {
    block-size: 100%;
    display: grid;
    grid-template: auto minmax(0, 1fr) / minmax(18rem, 25rem) minmax(0, 1fr);
    grid-template-areas: 'banner banner' 'list ask';
  }
  .banner {
    grid-area: banner;
    display: flex;
    align-items: center;
    justify-content: center;
    flex-wrap: wrap;
    gap: 0.25rem 0.75rem;
    padding: 0.375rem 1rem;
    background: var(--_warn-tint);
    color: var(--_warn);
    font-size: 0.9375rem;
  }
  .banner button {
    color: inherit;
    background: none;
    border-color: currentColor;
  }
  .side {
    grid-area: list;
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
    border-inline-end: 1px solid var(--_line);
    background: var(--_raised);
    min-block-size: 0;
  }
  .top {
    padding: 0.875rem 1rem 0.5rem;
    display: grid;
    gap: 0.625rem;
  }
  .head {
    display: flex;
    align-items: center;
    gap: 0.5rem;
  }
  h1 {
    font-size: 1.1875rem;
    font-weight: 700;
    letter-spacing: -0.01em;
    margin: 0;
    display: flex;
    gap: 0.5rem;
    align-items: center;
    flex: 1;
  }
  h1 svg {
    color: var(--_accent);
  }
  .head .icon {
    border-color: transparent;
    background: none;
    color: var(--_muted);
  }
  .head .icon:hover {
    background: var(--_sunken);
    color: var(--_ink);
  }
  .head .icon[aria-pressed='true'] {
    color: var(--_accent);
  }
  .find {
    position: relative;
  }
  .find input {
    padding-inline: 2.5rem !important;
  }
  .find input::-webkit-search-cancel-button {
    display: none;
  }
  .find > svg {
    position: absolute;
    inset-inline-start: 0.75rem;
    inset-block-start: 0.8rem;
    color: var(--_muted);
    pointer-events: none;
  }
  .find button {
    position: absolute;
    inset-inline-end: 0;
    inset-block-start: 0;
    border: 0;
    background: none;
    color: var(--_muted);
  }
  .tabs {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 0.25rem;
    padding: 0.25rem;
    background: var(--_sunken);
    border-radius: calc(var(--_radius) + 0.25rem);
  }
  .tabs button {
    border-color: transparent;
    background: none;
    color: var(--_muted);
    min-block-size: 2.25rem;
    padding: 0.25rem 0.5rem;
  }
  .tabs button[aria-selected='true'] {
    background: var(--_raised);
    color: var(--_ink);
    box-shadow: 0 1px 2px light-dark(#0002, #0008);
  }
  .count {
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
    color: var(--_on-accent);
    background: var(--_accent);
    border-radius: 99px;
    padding: 0 0.5rem;
    min-inline-size: 1.5rem;
    line-height: 1.375rem;
    text-align: center;
  }
  .body {
    min-block-size: 0;
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
  }
  .plot {
    margin: 0.25rem 1.25rem 0.5rem;
  }
  .plot figcaption {
    display: flex;
    justify-content: space-between;
    gap: 0.5rem;
    font-size: 0.8125rem;
    color: var(--_muted);
    padding-block-end: 0.375rem;
  }
  .plot svg {
    inline-size: 100%;
    block-size: 2.25rem;
    fill: var(--_accent);
    opacity: 0.75;
  }
  :host(:dir(rtl)) .plot svg {
    transform: scaleX(-1);
  }
  .detail {
    grid-area: ask;
    min-block-size: 0;
    overflow: auto;
    container-type: inline-size;
    scrollbar-gutter: stable;
  }
  .back {
    display: none;
    margin: 0.5rem 0.5rem 0;
  }
  .back svg:dir(rtl) {
    transform: scaleX(-1);
  }
  .empty {
    block-size: 100%;
    display: grid;
    place-content: center;
    justify-items: center;
    gap: 0.375rem;
    text-align: center;
    padding: 2rem;
    color: var(--_muted);
  }
  .empty strong {
    color: var(--_ink);
    font-size: 1.0625rem;
  }
  .empty p {
    margin: 0;
    max-inline-size: 22rem;
  }
  .empty button {
    margin-block: 0.875rem 0.25rem;
  }
  .empty .big {
    color: var(--_accent);
    background: var(--_tint);
    border-radius: 1.25rem;
    padding: 1rem;
    margin-block-end: 0.5rem;
  }
  dialog {
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) * 1.4);
    background: var(--_raised);
    color: var(--_ink);
    padding: 1.25rem 1.5rem;
    max-inline-size: min(26rem, 92vw);
  }
  dialog::backdrop {
    background: #0007;
  }
  dialog h2 {
    margin: 0 0 0.75rem;
    font-size: 1.0625rem;
  }
  dialog dl {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 0.5rem 1rem;
    margin: 0 0 1rem;
    align-items: baseline;
  }
  dialog dd {
    margin: 0;
  }
  kbd {
    font: 500 0.8125rem var(--_mono);
    border: 1px solid var(--_edge);
    border-radius: 6px;
    padding: 0.0625rem 0.4375rem;
    background: var(--_sunken);
  }
  @container (inline-size < 48rem) {
    .inbox {
      grid-template: auto minmax(0, 1fr) / minmax(0, 1fr);
      grid-template-areas: 'banner' 'list';
    }
    .side {
      border: 0;
    }
    .detail {
      grid-area: list;
      display: none;
      background: var(--_surface);
    }
    .inbox.entered .detail {
      display: block;
    }
    .inbox.entered .side {
      visibility: hidden;
    }
    .back {
      display: inline-flex;
    }
  }
`
