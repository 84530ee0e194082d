import { type CSSResult, css } from 'lit'

export const questionStyles: CSSResult = css`
  :host {
    display: block;
  }
  .head {
    display: flex;
    align-items: baseline;
    gap: 0.75rem;
    margin-block-end: 0.375rem;
  }
  .title {
    display: flex;
    align-items: baseline;
    flex-wrap: wrap;
    gap: 0 0.5rem;
    font-weight: 600;
    min-inline-size: 0;
    margin-inline-end: auto;
  }
  .aside {
    flex: none;
    font-size: 0.875rem;
  }
  .title bdi,
  .option bdi {
    overflow-wrap: anywhere;
  }
  .mark {
    font-size: 0.8125rem;
    font-weight: 450;
    color: var(--_muted);
  }
  code.mark {
    font-family: var(--_mono);
    overflow-wrap: anywhere;
  }
  .help {
    margin-block: -0.125rem 0.5rem;
  }
  .help p {
    margin: 0;
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
  /* It lies in the room between questions: what comes and goes here moves nothing, least of all a button on its way to
     being pressed. */
  .under {
    display: flex;
    align-items: center;
    flex-wrap: wrap;
    gap: 0.25rem 0.75rem;
    min-block-size: 1.5rem;
    margin-block: 0.25rem -1.75rem;
    font-size: 0.875rem;
    color: var(--_muted);
  }
  .under > :empty {
    display: none;
  }
  .problem {
    display: flex;
    gap: 0.375rem;
    color: var(--_danger);
    font-weight: 550;
  }
  .problem:empty {
    display: none;
  }
  .problem svg {
    margin-block-start: 0.125rem;
  }
  .unseen {
    margin-block: 0.375rem 0;
    overflow-wrap: anywhere;
  }
  .typing {
    color: var(--_accent);
  }
  .options {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.375rem;
  }
  .pair {
    grid-template-columns: 1fr 1fr;
  }
  .option {
    display: flex;
    align-items: flex-start;
    gap: 0.625rem;
    min-block-size: 2.75rem;
    padding: 0.5625rem 0.75rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_raised);
    cursor: pointer;
  }
  .option > span,
  .chosen bdi {
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .option:hover {
    border-color: var(--_edge);
  }
  .option:has(input:checked),
  .option[aria-selected='true'] {
    border-color: var(--_accent);
    background: var(--_tint);
  }
  .option:has(input:focus-visible) {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  .option input:focus-visible {
    outline: none;
  }
  .described {
    display: block;
    overflow-wrap: anywhere;
  }
  .badge {
    font-size: 0.75rem;
    color: var(--_muted);
    border: 1px solid var(--_line);
    border-radius: 99px;
    padding: 0 0.5rem;
    white-space: nowrap;
    background: var(--_raised);
  }
  .search {
    position: relative;
  }
  .search input {
    padding-inline-start: 2.5rem !important;
  }
  .glass {
    position: absolute;
    inset-inline-start: 0.75rem;
    inset-block-start: 0.8rem;
    color: var(--_muted);
  }
  .chosen {
    display: flex;
    gap: 0.375rem;
    align-items: center;
    padding-block: 0.5rem;
    min-block-size: 2.5rem;
    font-size: 0.9375rem;
  }
  .found {
    max-block-size: 15rem;
    overflow: auto;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_raised);
  }
  .found .option {
    border: 0;
    border-radius: 0;
    justify-content: space-between;
  }
  .found .active {
    background: var(--_sunken);
    box-shadow: inset 3px 0 0 var(--_accent);
  }
  @media (forced-colors: active) {
    .found .active {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
  .found + .option {
    margin-block-start: 0.375rem;
  }
  .other {
    margin-block-start: 0.375rem !important;
  }
  .link {
    background: none;
    border: 0;
    min-block-size: 1.5rem;
    padding: 0 0.25rem;
    margin-block: -0.125rem;
    font: inherit;
    font-size: 0.875rem;
    font-weight: 550;
    color: var(--_accent);
    text-decoration: underline;
    text-underline-offset: 0.2em;
  }
  @container (inline-size >= 40rem) {
    .pair,
    input[inputmode],
    input[type='date'],
    input[type='datetime-local'] {
      max-inline-size: 20rem;
    }
  }
`
