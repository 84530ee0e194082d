/** Writes to logs. */
export function logs(schema: string): string {
  return `
create function ${schema}.erase_log(target text, only_expired boolean) returns boolean language plpgsql as $$
declare
  erased bigint;
  was_alive boolean;
begin
  delete from ${schema}.logs as l
  where l.name = target and not (only_expired and ${schema}.is_alive(l.expires_at))
  returning l.id, ${schema}.is_alive(l.expires_at) into erased, was_alive;
  if erased is null then
    return false;
  end if;
  delete from ${schema}.entries as e where e.log = erased;
  return was_alive;
end $$;

-- A transaction that appends or trims holds the row of the log.
create function ${schema}.trim_log(target text, up_to bigint) returns void language plpgsql as $$
declare
  trimmed bigint;
begin
  select l.id into trimmed from ${schema}.logs as l
  where l.name = target and ${schema}.is_alive(l.expires_at) for update;
  delete from ${schema}.entries as e where e.log = trimmed and e.seq <= up_to;
end $$;

-- The last number of a log that is expected to be absent, or may be anything, moved by so many. Null when it is there.
create function ${schema}.move_log(target text, expected bigint, added bigint, expiry double precision, out id bigint, out last bigint)
language plpgsql as $$
begin
  loop
    if expected is null then
      update ${schema}.logs as l
      set last = l.last + added, expires_at = coalesce(expiry, l.expires_at)
      where l.name = target and ${schema}.is_alive(l.expires_at)
      returning l.id, l.last into id, last;
      exit when id is not null;
    end if;
    if added = 0 then
      last := case when exists (select from ${schema}.logs as l where l.name = target and ${schema}.is_alive(l.expires_at)) then null else 0 end;
      exit when last is not null or expected = 0;
      continue;
    end if;
    insert into ${schema}.logs as l (name, last, expires_at) values (target, added, expiry)
    on conflict (name) do nothing
    returning l.id, l.last into id, last;
    exit when id is not null;
    -- It is there after all. An expired one gives way; a live one is not at 0.
    perform ${schema}.erase_log(target, true);
    exit when expected = 0 and exists (select from ${schema}.logs as l where l.name = target and ${schema}.is_alive(l.expires_at));
  end loop;
end $$;

create function ${schema}.append(target text, expected bigint, contents text[], expiry double precision)
returns bigint language plpgsql as $$
declare
  added constant integer := cardinality(contents);
  head bigint;
  moved bigint;
begin
  if expected > 0 then
    update ${schema}.logs as l
    set last = l.last + added, expires_at = coalesce(expiry, l.expires_at)
    where l.name = target and l.last = expected and ${schema}.is_alive(l.expires_at)
    returning l.id, l.last into head, moved;
  else
    select m.id, m.last into head, moved from ${schema}.move_log(target, expected, added, expiry) as m;
  end if;
  if moved is not null then
    insert into ${schema}.entries (log, seq, value)
    select head, moved - added + place, content from unnest(contents) with ordinality as c (content, place);
  end if;
  return moved;
end $$;

-- Appends to different logs, each of something and after a known number: nearly all there are. A statement costs more than a row.
-- Rows are held one by one, in their order, and changed where they were found. Each content has the place of its append, and its
-- own among what that appends.
create function ${schema}.append_all(
  targets text[], expected bigint[], expiries double precision[], counts integer[], contents text[], owners integer[], nths integer[]
) returns bigint[] language plpgsql as $$
declare
  heads bigint[] := array_fill(null::bigint, array[cardinality(targets)]);
  lasts bigint[] := heads;
  rows tid[] := '{}';
  places integer[] := '{}';
  place integer := 1;
  moved record;
begin
  if 0 < any (expected) then
    for moved in
      select w.place, l.ctid, l.id, l.last
      from unnest(targets, expected) with ordinality as w (name, after, place)
      cross join lateral (
        select k.ctid, k.id, k.last from ${schema}.logs as k
        where k.name = w.name and k.last = w.after and ${schema}.is_alive(k.expires_at) offset 0 for update
      ) as l
      where w.after > 0
    loop
      heads[moved.place] := moved.id;
      lasts[moved.place] := moved.last + counts[moved.place];
      rows := rows || moved.ctid;
      places := places || moved.place::integer;
    end loop;
    update ${schema}.logs as l set last = lasts[w.place], expires_at = coalesce(expiries[w.place], l.expires_at)
    from unnest(rows, places) as w (row, place) where l.ctid = w.row;
  end if;
  if 0 = any (expected) then
    for moved in
      insert into ${schema}.logs as l (name, last, expires_at)
      select w.name, w.added, w.expiry
      from unnest(targets, expected, expiries, counts) with ordinality as w (name, after, expiry, added, place)
      where w.after = 0 order by w.place
      on conflict (name) do nothing
      returning l.name, l.id, l.last
    loop
      place := array_position(targets, moved.name, place);
      heads[place] := moved.id;
      lasts[place] := moved.last;
    end loop;
  end if;
  insert into ${schema}.entries (log, seq, value)
  select heads[c.owner], lasts[c.owner] - counts[c.owner] + c.nth, c.content
  from unnest(contents, owners, nths) as c (content, owner, nth)
  where lasts[c.owner] is not null;
  if 0 = any (expected) and array_position(lasts, null) is not null then
    for i in 1 .. cardinality(targets) loop
      -- One that should have been absent is there: it may have expired.
      if expected[i] = 0 and lasts[i] is null then
        place := array_position(owners, i);
        lasts[i] := ${schema}.append(targets[i], 0, contents[place : place + counts[i] - 1], expiries[i]);
      end if;
    end loop;
  end if;
  return lasts;
end $$;
`
}
