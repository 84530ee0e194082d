import { type CSSResult, css } from 'lit'

export const peopleStyles: CSSResult = css`
  :host {
    display: grid;
    gap: 1rem;
  }
  section,
  form {
    display: grid;
    gap: 0.5rem;
  }
  form {
    padding: 1.125rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_raised);
  }
  h3,
  p {
    margin: 0;
  }
  h3 {
    font-weight: 500;
  }
  label {
    font-weight: 600;
  }
  ul {
    list-style: none;
    margin: 0;
    padding: 0;
    display: grid;
    gap: 0.75rem;
  }
  li {
    padding-inline-start: 0.75rem;
    border-inline-start: 3px solid var(--_line);
  }
  .said {
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
  .quiet strong {
    color: var(--_ink);
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.625rem;
  }
  .refused {
    display: flex;
    gap: 0.625rem;
    padding: 0.75rem 0.875rem;
    border-radius: var(--_radius);
    background: var(--_danger-tint);
    color: var(--_danger);
    overflow-wrap: anywhere;
  }
`
