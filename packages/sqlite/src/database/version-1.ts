// Names are JSON, which has neither NUL nor lone surrogates. `autoincrement` never gives a number twice, whatever was
// deleted: the number of a key's row is its version, and messages are in the order of theirs.

/** The tables of version 1. */
export const version1 = `
create table keys (
  version integer primary key autoincrement,
  name text not null unique,
  value text not null,
  expires_at real
);
create index keys_expires_at on keys (expires_at) where expires_at is not null;

create table logs (
  id integer primary key autoincrement,
  name text not null unique,
  last integer not null,
  expires_at real
);
create index logs_expires_at on logs (expires_at) where expires_at is not null;

create table entries (
  log integer not null,
  seq integer not null,
  value text not null,
  primary key (log, seq)
) without rowid;

create table sets (
  id integer primary key autoincrement,
  name text not null unique,
  expires_at real
);
create index sets_expires_at on sets (expires_at) where expires_at is not null;

-- Texts are compared by their bytes. A set without members is not kept.
create table members (
  "set" integer not null,
  member text not null,
  score real not null,
  primary key ("set", member)
) without rowid;
create unique index members_score on members ("set", score, member);

create table messages (
  id integer primary key autoincrement,
  topic text not null,
  message text not null,
  expires_at real not null
);
create index messages_expires_at on messages (expires_at);

-- When the next sweep is due, for every process together.
create table sweeps (due_at real not null);
insert into sweeps values (0);
`
