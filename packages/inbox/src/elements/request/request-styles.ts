import { type CSSResult, css } from 'lit'

export const requestStyles: CSSResult = css`
  :host {
    display: block;
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
    align-items: center;
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
  details {
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
  pre {
    margin: 0;
    padding: 0.125rem 0.875rem 0.875rem;
    font: 400 0.875rem/1.5 var(--_mono);
    overflow: auto;
    max-block-size: 20rem;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  form {
    display: grid;
    gap: 0.625rem;
  }
  .actions {
    position: sticky;
    inset-block-end: 0;
    margin-inline: -2rem;
    padding: 1.25rem 2rem 1.25rem;
    background: linear-gradient(to top, var(--_surface) calc(100% - 1rem), transparent);
    display: grid;
    gap: 0.625rem;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.625rem;
    align-items: center;
  }
  .buttons .primary {
    min-inline-size: 9rem;
  }
  .buttons .end {
    margin-inline-start: auto;
  }
  .note {
    display: flex;
    gap: 0.625rem;
    padding: 0.75rem 0.875rem;
    border-radius: var(--_radius);
    background: var(--_tint);
    align-items: flex-start;
    overflow-wrap: anywhere;
  }
  .note.refused,
  .warning.danger {
    background: var(--_danger-tint);
    color: var(--_danger);
  }
  .note svg,
  .warning svg {
    margin-block-start: 0.125rem;
  }
  .outcome {
    display: grid;
    gap: 0.375rem;
    padding: 1rem 1.125rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_raised);
    margin-block-end: 1.5rem;
  }
  .outcome strong {
    display: flex;
    align-items: center;
    gap: 0.5rem;
  }
  .outcome.accept strong {
    color: var(--_good);
  }
  .outcome.decline strong {
    color: var(--_danger);
  }
  blockquote {
    margin: 0;
    padding-inline-start: 0.75rem;
    border-inline-start: 3px solid var(--_line);
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
  .link {
    display: grid;
    gap: 0.625rem;
    justify-items: start;
  }
  .address {
    font: 400 0.9375rem/1.6 var(--_mono);
    padding: 0.75rem 0.875rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_raised);
    color: var(--_muted);
    overflow-wrap: anywhere;
    inline-size: 100%;
    max-block-size: 14rem;
    overflow-y: auto;
    unicode-bidi: isolate;
  }
  .address strong {
    color: var(--_ink);
    font-weight: 700;
  }
  .warning {
    display: flex;
    gap: 0.625rem;
    inline-size: 100%;
    padding: 0.625rem 0.875rem;
    border-radius: var(--_radius);
    background: var(--_warn-tint);
    color: var(--_warn);
    font-size: 0.9375rem;
    overflow-wrap: anywhere;
  }
  .risky {
    color: var(--_danger);
    border-color: var(--_danger);
  }
  .button bdi {
    overflow-wrap: anywhere;
  }
  dl {
    margin: 0.5rem 0 0;
    display: grid;
    gap: 0.125rem;
  }
  dt {
    font-size: 0.875rem;
    color: var(--_muted);
  }
  dd {
    margin: 0 0 0.625rem;
    white-space: pre-line;
    overflow-wrap: anywhere;
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
    .actions {
      margin-inline: -1rem;
      padding: 1.125rem 1rem 1rem;
    }
    .buttons > button:not(.plain) {
      flex: 1 1 7rem;
    }
  }
`
