/** What is kept, and what time it is. */
export function tables(schema: string): string {
  return `
create table ${schema}.keys (
  name text collate "C" primary key,
  value text not null,
  version bigint not null,
  expires_at double precision
);
create index keys_expires_at on ${schema}.keys (expires_at) where expires_at is not null;

-- Versions come from one sequence, so that none is used twice, whatever was deleted in between.
create sequence ${schema}.versions;

-- With room in each page for the next version of its rows: an append that leaves the expiry alone then touches no index.
create table ${schema}.logs (
  name text collate "C" primary key,
  id bigint not null generated always as identity,
  last bigint not null,
  expires_at double precision
) with (fillfactor = 60);
create index logs_expires_at on ${schema}.logs (expires_at) where expires_at is not null;

-- A log that begins again has a new id. A transaction that changes entries holds the row of their log.
create table ${schema}.entries (
  log bigint not null,
  seq bigint not null,
  value text not null,
  primary key (log, seq)
);

-- The expiry of a set, where it has one. A transaction that gives it one, empties the set or takes its last member holds this row; others
-- wait for each other only at the same member.
create table ${schema}.sets (
  name text collate "C" primary key,
  expires_at double precision not null
);
create index sets_expires_at on ${schema}.sets (expires_at);

create table ${schema}.members (
  set text collate "C" not null,
  member text collate "C" not null,
  score double precision not null,
  primary key (set, member)
);
create unique index members_score on ${schema}.members (set, score, member);

create function ${schema}.now_ms() returns double precision language sql volatile
as $$ select date_part('epoch', clock_timestamp()) * 1000 $$;

create function ${schema}.is_alive(expiry double precision) returns boolean language sql volatile
as $$ select expiry is null or expiry > ${schema}.now_ms() $$;
`
}
