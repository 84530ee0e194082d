import { type CSSResult, css } from 'lit'

export const blocksStyles: CSSResult = css`
  :host {
    display: grid;
    gap: 1.25rem;
  }
  section {
    display: grid;
    gap: 0.5rem;
    justify-items: start;
    min-inline-size: 0;
  }
  section > * {
    max-inline-size: 100%;
    min-inline-size: 0;
  }
  h3 {
    margin: 0;
    font-size: 0.875rem;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  p {
    margin: 0;
    overflow-wrap: anywhere;
  }
  /* However much it is, the buttons stay near; everything of it can be scrolled to. */
  pre,
  .lines,
  .wide {
    inline-size: 100%;
    margin: 0;
    max-block-size: min(24rem, 60vh);
    overflow: auto;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_raised);
    font-size: 0.875rem;
  }
  pre,
  .lines {
    font-family: var(--_mono);
    line-height: 1.5;
  }
  pre {
    padding: 0.75rem 0.875rem;
    /* Nothing of it is beside what a person looks at. */
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    tab-size: 4;
  }
  .lines {
    padding-block: 0.5rem;
  }
  .lines > div {
    display: flex;
    inline-size: max-content;
    min-inline-size: 100%;
    padding-inline: 0.5rem 0.875rem;
  }
  .code {
    white-space: pre;
    tab-size: 4;
    min-block-size: 1.5em;
  }
  .sign {
    flex: none;
    inline-size: 1.25rem;
    text-align: center;
    user-select: none;
    white-space: pre;
  }
  .removed {
    background: var(--_danger-tint);
    color: var(--_danger);
  }
  .added {
    background: color-mix(in oklab, var(--_good) 12%, var(--_raised));
    color: var(--_good);
  }
  .lines > .skipped {
    display: block;
    inline-size: 100%;
    padding: 0.25rem 0.5rem 0.25rem 1.75rem;
    border: 0;
    border-radius: 0;
    background: var(--_sunken);
    color: var(--_muted);
    font: 400 0.8125rem/1.5 var(--_font);
    text-align: start;
    text-decoration: underline;
    cursor: pointer;
  }
  table {
    border-collapse: collapse;
    min-inline-size: 100%;
  }
  th,
  td {
    padding: 0.4375rem 0.875rem;
    text-align: start;
    vertical-align: top;
    border-block-end: 1px solid var(--_line);
    max-inline-size: 24rem;
    overflow-wrap: anywhere;
    white-space: pre-line;
  }
  th {
    position: sticky;
    inset-block-start: 0;
    background: var(--_sunken);
    font-weight: 600;
    white-space: nowrap;
  }
  tbody tr:last-child td {
    border-block-end: 0;
  }
  td.number,
  th.number {
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  img {
    display: block;
    max-block-size: 32rem;
    block-size: auto;
    border-radius: var(--_radius);
    border: 1px solid var(--_line);
    background: var(--_raised);
  }
  .markdown {
    display: grid;
    gap: 0.625rem;
    inline-size: 100%;
  }
  .markdown > *,
  .markdown li > *,
  .markdown blockquote > * {
    min-inline-size: 0;
  }
  .markdown p {
    white-space: pre-line;
  }
  .heading {
    font-weight: 650;
    font-size: 1.0625rem;
  }
  ul,
  ol {
    margin: 0;
    padding-inline-start: 1.5rem;
  }
  li + li {
    margin-block-start: 0.25rem;
  }
  blockquote {
    margin: 0;
    padding-inline-start: 0.875rem;
    border-inline-start: 3px solid var(--_line);
    color: var(--_muted);
  }
  hr {
    inline-size: 100%;
    border: 0;
    border-block-start: 1px solid var(--_line);
  }
  code {
    font: 400 0.875em var(--_mono);
    overflow-wrap: anywhere;
  }
  :not(pre) > code {
    padding: 0.0625rem 0.3125rem;
    border-radius: 4px;
    background: var(--_sunken);
  }
  .address {
    font: 400 0.9375rem/1.5 var(--_mono);
    color: var(--_muted);
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
  }
  .warning.danger {
    background: var(--_danger-tint);
    color: var(--_danger);
  }
  .risky {
    color: var(--_danger);
    border-color: var(--_danger);
  }
  .button bdi {
    overflow-wrap: anywhere;
  }
`
