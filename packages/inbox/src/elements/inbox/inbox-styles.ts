import { type CSSResult, css } from 'lit'

export const inboxStyles: CSSResult = css`
  :host {
    display: block;
    block-size: 100%;
    min-block-size: 20rem;
    background: var(--_surface);
    container-type: inline-size;
  }
  /* Where nothing says how high it is, there is room for a few asks. */
  :host(:not([page])) {
    min-block-size: 32rem;
  }
  .inbox {
    block-size: 100%;
    min-block-size: inherit;
    display: grid;
    grid-template: auto minmax(0, 1fr) / minmax(18rem, 25rem) minmax(0, 1fr);
    grid-template-areas: 'banner banner' 'list ask';
  }
  .side {
    grid-area: list;
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
    border-inline-end: 1px solid var(--_line);
    background: var(--_raised);
    min-block-size: 0;
  }
  .body {
    min-block-size: 0;
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
  }
  .banners {
    grid-area: banner;
  }
  .detail {
    grid-area: ask;
    min-block-size: 0;
    overflow: auto;
    scrollbar-gutter: stable both-edges;
    /* What has the focus is never under the buttons. */
    scroll-padding-block: 1rem 7rem;
  }
  .back {
    display: none;
    margin: 0.5rem 0.5rem 0;
  }
  .back svg:dir(rtl) {
    transform: scaleX(-1);
  }
  /* Where there is nothing to choose from, the room for an ask says so. */
  @container (inline-size >= 48rem) {
    .blank .side {
      display: contents;
    }
    .blank .top {
      grid-area: list;
      align-content: start;
      border-inline-end: 1px solid var(--_line);
      background: var(--_raised);
    }
    .blank .body {
      grid-area: ask;
      z-index: 1;
    }
  }
  @container (inline-size < 48rem) {
    .inbox {
      grid-template: auto minmax(0, 1fr) / minmax(0, 1fr);
      grid-template-areas: 'banner' 'list';
    }
    .side {
      border: 0;
    }
    .detail {
      grid-area: list;
      display: none;
      background: var(--_surface);
    }
    .inbox.entered .detail {
      display: block;
    }
    .inbox.entered .side {
      visibility: hidden;
    }
    .back {
      display: inline-flex;
    }
  }
`
