import { type CSSResult, css } from 'lit'

export const ruleStyles: CSSResult = css`
  :host {
    display: block;
  }
  .rule {
    display: grid;
    gap: 1rem;
    padding: 1.125rem;
    margin-block-end: 1.5rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_raised);
    outline: none;
  }
  h3,
  p {
    margin: 0;
  }
  h3 {
    font-size: 1rem;
    font-weight: 650;
  }
  fieldset {
    border: 0;
    padding: 0;
    margin: 0;
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.25rem;
  }
  legend {
    padding: 0 0 0.25rem;
    font-size: 0.875rem;
    color: var(--_muted);
  }
  label {
    display: flex;
    gap: 0.5rem;
    min-block-size: 2.75rem;
    align-items: center;
    cursor: pointer;
  }
  label input {
    margin: 0 !important;
  }
  .sentence {
    padding: 0.75rem 0.875rem;
    border-radius: var(--_radius);
    background: var(--_tint);
    overflow-wrap: anywhere;
  }
  .sentence.danger,
  .refused {
    display: flex;
    gap: 0.625rem;
    padding: 0.75rem 0.875rem;
    border-radius: var(--_radius);
    background: var(--_danger-tint);
    color: var(--_danger);
    overflow-wrap: anywhere;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.625rem;
  }
  .risky {
    color: var(--_danger);
    border-color: var(--_danger);
  }
`
