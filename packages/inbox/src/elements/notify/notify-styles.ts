import { type CSSResult, css } from 'lit'

export const notifyStyles: CSSResult = css`
  dialog {
    inline-size: min(34rem, calc(100vw - 2rem));
    max-block-size: calc(100dvh - 2rem);
    padding: 1.25rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_raised);
    color: var(--_ink);
    overflow: auto;
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 0.4);
  }
  h2 {
    margin: 0 0 0.75rem;
    font-size: 1.25rem;
  }
  fieldset {
    display: grid;
    gap: 0.5rem;
    margin: 0 0 1rem;
    padding: 0.75rem 1rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    min-inline-size: 0;
  }
  legend {
    padding-inline: 0.25rem;
    font-weight: 600;
  }
  label {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.5rem;
  }
  input[type='checkbox'] {
    inline-size: 1.25rem;
    block-size: 1.25rem;
  }
  select,
  input:not([type='checkbox']) {
    min-block-size: 2.5rem;
    padding: 0.25rem 0.5rem;
    border: 1px solid var(--_edge);
    border-radius: 6px;
    background: var(--_surface);
    color: inherit;
    font: inherit;
    max-inline-size: 100%;
  }
  .quiet {
    margin: 0;
    color: var(--_muted);
    font-size: 0.9375rem;
    overflow-wrap: anywhere;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
  }
  .end {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.75rem;
    min-block-size: 2.75rem;
  }
`
