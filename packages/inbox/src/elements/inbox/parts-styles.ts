import { type CSSResult, css } from 'lit'

/** What is there at times: no connection, nothing to list, the plot of the history, the keys. */
export const partsStyles: CSSResult = css`
  .banner {
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
  .banner.held {
    background: var(--_tint);
    color: var(--_ink);
  }
  @container (inline-size < 48rem) {
    .banner.held > span {
      flex-basis: 100%;
      text-align: center;
    }
  }
  .banner button {
    color: inherit;
    background: none;
    border-color: currentColor;
  }
  .more {
    margin: 0.5rem 1.25rem 0.75rem;
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
    block-size: 2.5rem;
    border-block-end: 1px solid var(--_line);
  }
  .plot rect {
    fill: color-mix(in oklab, var(--_accent) 55%, var(--_raised));
  }
  .plot rect:hover {
    fill: var(--_accent);
  }
  .plot line {
    stroke: var(--_muted);
    stroke-dasharray: 3 3;
    pointer-events: none;
  }
  :host(:dir(rtl)) .plot svg {
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
    text-wrap: balance;
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
  #you-dialog {
    max-inline-size: min(34rem, 94vw);
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
`
