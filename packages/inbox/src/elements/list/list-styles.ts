import { type CSSResult, css } from 'lit'

export const listStyles: CSSResult = css`
  :host {
    display: block;
    overflow: auto;
    min-block-size: 0;
    scrollbar-width: thin;
    contain: strict;
    block-size: 100%;
  }
  .list {
    position: relative;
    outline: none;
    min-block-size: 100%;
  }
  .slice {
    position: absolute;
    inset-inline: 0;
    inset-block-start: 0;
    padding-inline: 0.5rem;
  }
  .group {
    block-size: 2.5rem;
    padding: 0.875rem 0.75rem 0;
    display: flex;
    justify-content: space-between;
    gap: 0.5rem;
    font-size: 0.8125rem;
    font-weight: 600;
    color: var(--_muted);
  }
  .group bdi,
  .meta > bdi {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    min-inline-size: 0;
  }
  .row {
    block-size: 4rem;
    padding-block: 0.125rem;
    cursor: pointer;
  }
  .card {
    position: relative;
    block-size: 100%;
    padding: 0 0.75rem;
    border-radius: var(--_radius);
    display: grid;
    align-content: center;
    gap: 0.125rem;
  }
  .row:hover .card {
    background: var(--_sunken);
  }
  .row[aria-selected='true'] .card {
    background: var(--_tint);
  }
  @media (forced-colors: active) {
    .row[aria-selected='true'] .card {
      border: 2px solid Highlight;
    }
  }
  .list:focus-visible .row[aria-selected='true'] .card {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }
  .message {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font-size: 0.9375rem;
    font-weight: 500;
  }
  .meta {
    display: flex;
    align-items: center;
    gap: 0.375rem;
    font-size: 0.8125rem;
    color: var(--_muted);
    white-space: nowrap;
    min-inline-size: 0;
  }
  .meta .time {
    margin-inline-start: auto;
  }
  .meta .apart {
    color: var(--_ink);
  }
  /* It is there for anyone who wants it: under a pointer, on a row that is current, once anything is marked, and on a phone. */
  .box {
    position: absolute;
    inset-block: 0;
    inset-inline-start: 0;
    inline-size: 2.75rem;
    display: grid;
    place-items: center;
    opacity: 0;
  }
  .box > span {
    inline-size: 1.25rem;
    block-size: 1.25rem;
    display: grid;
    place-items: center;
    border: 1px solid var(--_edge);
    border-radius: 5px;
    background: var(--_raised);
    color: var(--_on-accent);
  }
  .box.marked > span {
    background: var(--_accent);
    border-color: var(--_accent);
  }
  .row:hover .box,
  .row:hover .card:has(.box),
  .marking .box {
    opacity: 1;
  }
  .row:hover .card:has(.box),
  .marking .card:has(.box) {
    padding-inline-start: 2.75rem;
  }
  @media (pointer: coarse) {
    .box {
      opacity: 1;
    }
    .card:has(.box) {
      padding-inline-start: 2.75rem;
    }
  }
  @media (forced-colors: active) {
    .box.marked > span {
      forced-color-adjust: none;
    }
  }
  .soon {
    color: var(--_warn);
    font-weight: 600;
  }
  .accept {
    color: var(--_good);
  }
  .decline,
  .danger {
    color: var(--_danger);
  }
`
