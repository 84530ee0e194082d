import { type CSSResult, css } from 'lit'

/** What narrows the list down, and what is done about several asks at once. */
export const severalStyles: CSSResult = css`
  .finding {
    display: flex;
    gap: 0.375rem;
  }
  .find {
    flex: 1;
    min-inline-size: 0;
  }
  .filter {
    flex: none;
    border-color: transparent;
    background: none;
    color: var(--_muted);
  }
  .filter.on {
    color: var(--_accent);
    background: var(--_tint);
  }
  .filters {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 0.5rem;
  }
  .filters label {
    display: grid;
    gap: 0.125rem;
    min-inline-size: 0;
    font-size: 0.8125rem;
    color: var(--_muted);
  }
  .chips {
    grid-column: 1 / -1;
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem;
  }
  .chip {
    border-radius: 99px;
    font-weight: 450;
  }
  .chip[aria-pressed='true'] {
    background: var(--_tint);
    border-color: var(--_accent);
    color: var(--_accent);
    font-weight: 600;
  }
  @media (forced-colors: active) {
    .chip[aria-pressed='true'] {
      border: 2px solid Highlight;
    }
  }
  .several {
    display: grid;
    gap: 0.5rem;
    padding: 0.75rem 1rem;
    border-block-start: 1px solid var(--_line);
    background: var(--_tint);
  }
  .several p {
    margin: 0;
    font-size: 0.875rem;
  }
  .several .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem;
  }
  .several .plain {
    color: var(--_ink);
  }
`
