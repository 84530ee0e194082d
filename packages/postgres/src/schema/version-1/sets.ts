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

-- The expiry of a set goes with its last member. It is held before looking whether there is one left, and that is a statement of
-- its own, which sees what others have put meanwhile: a transaction that gives a set an expiry holds it, too.
create function ${schema}.drop_expiry(target text) returns void language plpgsql as $$
begin
  if exists (select from ${schema}.sets as s where s.name = target) and ${schema}.hold_set(target) then
    delete from ${schema}.sets as s
    where s.name = target and not exists (select from ${schema}.members as m where m.set = target);
  end if;
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
  perform ${schema}.drop_expiry(target);
  return true;
end $$;

-- Changes of different members: puts that expect nothing and give no expiry, and removals. Null for those that are not wanted.
-- Those that are there are held first, one by one and in their order. A set that has not expired is not held: what is put there is
-- put before or after what others do to its expiry, and either will do. Who gives a set an expiry holds that first and its members
-- then: with one who removes a member it has put there, both may wait, and the database ends one of them, as \`apply\` says.
create function ${schema}.change_members(
  kinds text[], names text[], ids text[], places double precision[], expected double precision[], wanted boolean[]
) returns boolean[] language plpgsql as $$
declare
  done boolean[] := array_fill(null::boolean, array[cardinality(kinds)]);
  rows tid[] := '{}';
  shrunk text[] := '{}';
  has_expired boolean;
  known record;
begin
  loop
    has_expired := false;
    for known in
      select w.place, w.kind, w.name, m.ctid, s.expires_at
      from unnest(kinds, names, ids, expected, wanted) with ordinality as w (kind, name, id, score, wanted, place)
      left join lateral (
        select e.expires_at from ${schema}.sets as e where e.name = w.name offset 0
      ) as s on true
      left join lateral (
        select k.ctid from ${schema}.members as k
        where ${schema}.is_alive(s.expires_at) and k.set = w.name and k.member = w.id
          and (w.kind = 'put' or w.score is null or k.score = w.score) offset 0 for update
      ) as m on true
      where w.wanted
    loop
      done[known.place] := known.kind = 'put' or known.ctid is not null;
      continue when known.expires_at is null and (known.kind = 'put' or known.ctid is null);
      if not ${schema}.is_alive(known.expires_at) then
        perform ${schema}.hold_set(known.name);
        has_expired := true;
      elsif known.kind = 'remove' and known.ctid is not null then
        rows := rows || known.ctid;
        shrunk := shrunk || known.name;
      end if;
    end loop;
    exit when not has_expired;
    -- What has expired is empty now.
    rows := '{}';
    shrunk := '{}';
  end loop;
  if 'put' = any (kinds) then
    insert into ${schema}.members as m (set, member, score)
    select w.name, w.id, w.score
    from unnest(kinds, names, ids, places, wanted) with ordinality as w (kind, name, id, score, wanted, place)
    where w.kind = 'put' and w.wanted order by w.place
    on conflict (set, member) do update set score = excluded.score where m.score <> excluded.score;
  end if;
  if cardinality(rows) > 0 then
    delete from ${schema}.members as m using unnest(rows) as w (row) where m.ctid = w.row;
    perform ${schema}.drop_expiry(h.name) from (
      select s.name from ${schema}.sets as s where s.name = any (shrunk) order by s.name for update
    ) as h;
  end if;
  return done;
end $$;
`
}
