/** Of a desk that runs here, for this machine: where it is reached, and what it keeps. */
export const ownDeskOptions = {
  host: {
    type: 'string',
    value: 'host',
    default: '127.0.0.1',
    help: 'a host name that only this machine can reach (default 127.0.0.1)',
  },
  store: {
    type: 'string',
    value: 'where',
    help: 'memory, a SQLite file, postgres://... or redis://... (default: BECKON_STORE, or a SQLite file in your data folder)',
  },
} as const
