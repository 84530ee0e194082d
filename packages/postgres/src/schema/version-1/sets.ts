/** Writes to sets. */
export function sets(schema: string): string {
  return `
-- Takes hold of a set that can expire, and empties it when it has. False when it was absent for that, or has no expiry.
create function ${schema}.hold_set(target text) returns boolean language plpgsql as $$
declare
  expiry double precision;
begin
  select s.expires_at into expiry from ${schema}.sets as s where s.name = target for update;
  if expiry is null or ${schema}.is_alive(expiry) then
    return expiry is not null;
  end if;
  delete from ${schema}.members as m where m.set = target;
  delete from ${schema}.sets as s where s.name = target;
  return false;
end $$;

-- What is expected of the member: nothing, 'absent', or its score. The caller holds the set.
create function ${schema}.put(target text, id text, place double precision, expected text, expiry double precision)
returns boolean language plpgsql as $$
declare
  written boolean;
begin
  if expected is null then
    insert into ${schema}.members as m (set, member, score) values (target, id, place)
    on conflict (set, member) do update set score = excluded.score where m.score <> excluded.score;
    written := true;
  elsif expected = 'absent' then
    insert into ${schema}.members (set, member, score) values (target, id, place)
    on conflict (set, member) do nothing
    returning true into written;
  else
    update ${schema}.members as m set score = place
    where m.set = target and m.member = id and m.score = expected::double precision
    returning true into written;
  end if;
  if written and expiry is not null then
    insert into ${schema}.sets as s (name, expires_at) values (target, expiry)
    on conflict (name) do update set expires_at = excluded.expires_at;
  end if;
  return coalesce(written, false);
end $$;

-- The caller holds the set.
create function ${schema}.remove(target text, id text, expected double precision) returns boolean language plpgsql as $$
declare
  removed boolean;
begin
  delete from ${schema}.members as m
  where m.set = target and m.member = id and (expected is null or m.score = expected)
  returning true into removed;
  if removed is null then
    return false;
  end if;
  -- The expiry goes with the last member. It is held before looking whether this was the last, and that is a statement of
  -- its own, which sees what others have put meanwhile: a transaction that gives a set an expiry holds it, too.
  if exists (select from ${schema}.sets as s where s.name = target) and ${schema}.hold_set(target) then
    delete from ${schema}.sets as s
    where s.name = target and not exists (select from ${schema}.members as m where m.set = target);
  end if;
  return true;
end $$;
`
}
