import { type CSSResult, css } from 'lit'

/** The name of the inbox, its tabs and its search. */
export const topStyles: CSSResult = css`
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
    background: light-dark(var(--_raised), color-mix(in oklab, var(--_raised) 88%, var(--_ink)));
    color: var(--_ink);
    box-shadow: 0 1px 2px light-dark(#0002, #0008);
  }
  @media (forced-colors: active) {
    .tabs button[aria-selected='true'] {
      border: 2px solid Highlight;
    }
    .count {
      forced-color-adjust: none;
    }
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
`
