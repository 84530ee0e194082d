import { type CSSResult, css } from 'lit'

/** What someone decides with: a link and its dangers, the buttons, and what came of it. */
export const decidingStyles: CSSResult = css`
  .actions {
    position: sticky;
    inset-block-end: 0;
    margin-inline: -2rem;
    padding: 1.25rem 2rem 1.25rem;
    background: linear-gradient(to top, var(--_surface) calc(100% - 1rem), transparent);
    display: grid;
    gap: 0.625rem;
  }
  /* At the end of what is kept as high as it was. */
  article.holds {
    display: flex;
    flex-direction: column;
  }
  article.holds > .actions {
    margin-block-start: auto;
  }
  /* Nothing may hide what is to be read before a link is opened. */
  .actions.visit {
    position: static;
  }
  /* Nor what someone is writing. */
  beckon-people[open] ~ .actions {
    position: static;
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
  .more {
    display: flex;
    flex: 1 1 auto;
    flex-wrap: wrap;
    gap: 0.625rem;
  }
  .more .end {
    margin-inline-start: auto;
    margin-inline-end: -0.75rem;
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
  @media (forced-colors: active) {
    .note,
    .warning {
      border: 1px solid;
    }
    .more > * {
      margin-inline-end: 0 !important;
    }
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
  .outcome:has(+ .result, + .note) {
    margin-block-end: 0;
  }
  .result {
    display: grid;
    gap: 0.375rem;
    margin-block-end: 1.5rem;
  }
  .result pre {
    padding: 0.75rem 0.875rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_raised);
  }
  .result .failure {
    color: var(--_danger);
    background: var(--_danger-tint);
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
  .answers dl {
    margin: 0.5rem 0 0;
    display: grid;
    gap: 0.125rem;
  }
  .answers dt {
    font-size: 0.875rem;
    color: var(--_muted);
  }
  .answers dd {
    margin: 0 0 0.625rem;
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
  @container (inline-size < 40rem) {
    .actions {
      margin-inline: -1rem;
      padding: 1.125rem 1rem 1rem;
    }
    .actions:not(.visit) .buttons > button {
      flex: 1 1 7rem;
    }
    .actions:not(.visit) .more {
      flex-basis: 100%;
    }
    .actions:not(.visit) .more :not(.end) {
      margin-inline-start: -0.75rem;
    }
    .link .button {
      inline-size: 100%;
    }
  }
  /* Where little is seen at once, the buttons must not take it. */
  @media (height < 30rem) {
    .actions {
      position: static;
    }
  }
`
