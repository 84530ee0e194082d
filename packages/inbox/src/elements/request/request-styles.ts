import { type CSSResult, css } from 'lit'

export const requestStyles: CSSResult = css`
  :host {
    display: block;
    container-type: inline-size;
  }
  article {
    display: grid;
    gap: 1.25rem;
    max-inline-size: 42rem;
    margin-inline: auto;
    padding: 1.75rem 2rem 0;
    outline: none;
  }
  article > *,
  form > * {
    min-inline-size: 0;
  }
  header {
    display: flex;
    gap: 0.875rem;
  }
  .avatar {
    inline-size: 2.75rem;
    block-size: 2.75rem;
    border-radius: 0.875rem;
    display: grid;
    place-items: center;
    background: var(--_tint);
    color: var(--_accent);
    font-weight: 650;
    font-size: 1.125rem;
    flex: none;
  }
  .who {
    min-inline-size: 0;
    flex: 1;
  }
  h2 {
    margin: 0;
    font-size: 1rem;
    font-weight: 650;
    overflow-wrap: anywhere;
  }
  h2 code {
    font: 500 0.875rem var(--_mono);
    color: var(--_muted);
    margin-inline-start: 0.375rem;
  }
  h3 {
    margin: 0;
    font-size: 0.875rem;
    font-weight: 500;
  }
  p {
    margin: 0;
  }
  .message {
    font-size: 1.25rem;
    line-height: 1.45;
    font-weight: 500;
    letter-spacing: -0.005em;
    text-wrap: pretty;
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
  .message.long {
    font-size: 1rem;
    font-weight: 400;
  }
  .message.all {
    max-block-size: 60vh;
    overflow: auto;
    white-space: pre-wrap;
  }
  details,
  .arguments {
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_raised);
  }
  summary {
    padding: 0.625rem 0.875rem;
    cursor: pointer;
    font-size: 0.875rem;
    color: var(--_muted);
    border-radius: var(--_radius);
    min-block-size: 2.75rem;
    align-content: center;
  }
  .arguments > h3,
  .arguments > p,
  .arguments > button {
    margin: 0.625rem 0.875rem;
  }
  /* However much it is, the buttons stay near; everything of it can be scrolled to. */
  .arguments > .given,
  .arguments > pre {
    max-block-size: min(24rem, 50vh);
    overflow: auto;
  }
  .given {
    display: grid;
    grid-template-columns: fit-content(40%) minmax(0, 1fr);
    gap: 0.25rem 1rem;
    align-items: baseline;
    margin: 0;
    padding: 0 0.875rem 0.75rem;
    font-size: 0.875rem;
    overflow-wrap: anywhere;
  }
  .given dt {
    font-family: var(--_mono);
    color: var(--_muted);
  }
  .given dd {
    margin: 0;
  }
  pre {
    margin: 0;
    padding: 0.125rem 0.875rem 0.875rem;
    font: 400 0.875rem/1.5 var(--_mono);
    overflow: auto;
    max-block-size: 20rem;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .approval {
    display: flex;
    gap: 0.5rem;
    padding: 0.625rem 0.875rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    overflow-wrap: anywhere;
  }
  .approval svg {
    margin-block-start: 0.1875rem;
    color: var(--_accent);
  }
  form {
    display: grid;
    gap: 2.25rem;
  }
  ::slotted(*) {
    justify-self: start;
    margin-block-end: 1.5rem;
  }
  .soon {
    color: var(--_warn);
    font-weight: 600;
  }
  .away {
    display: grid;
    place-content: center;
    min-block-size: 12rem;
    text-align: center;
  }
  @container (inline-size < 40rem) {
    article {
      padding: 1.25rem 1rem 0;
    }
  }
`
