import { type CSSResult, css } from 'lit'

export const youStyles: CSSResult = css`
  :host {
    display: grid;
    gap: 1.25rem;
    inline-size: min(30rem, calc(94vw - 3.25rem));
  }
  section {
    display: grid;
    gap: 0.5rem;
  }
  section + section {
    padding-block-start: 1.25rem;
    border-block-start: 1px solid var(--_line);
  }
  h2,
  h3,
  p {
    margin: 0;
    overflow-wrap: anywhere;
  }
  h2 {
    font-size: 1.1875rem;
  }
  h3 {
    font-size: 0.9375rem;
    font-weight: 650;
  }
  ul {
    list-style: none;
    margin: 0;
    padding: 0;
    display: grid;
    gap: 0.5rem;
  }
  li {
    display: flex;
    gap: 0.75rem;
    align-items: center;
    justify-content: space-between;
    overflow-wrap: anywhere;
  }
  li > span {
    min-inline-size: 0;
  }
  li > button {
    flex: none;
  }
  .row {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr));
    gap: 0.625rem;
    align-items: end;
    justify-items: start;
  }
  .row label {
    inline-size: 100%;
  }
  .row label,
  .row input {
    min-inline-size: 0;
  }
  label {
    display: grid;
    gap: 0.25rem;
    font-size: 0.875rem;
    color: var(--_muted);
  }
  .refused {
    color: var(--_danger);
  }
`
