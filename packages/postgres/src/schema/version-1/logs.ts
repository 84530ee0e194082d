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
  -- Nearly all begin a log, or come after its last entry. They do without a function of their own, which costs a quarter more.
  if expected > 0 then
    update ${schema}.logs as l
    set last = l.last + added, expires_at = coalesce(expiry, l.expires_at)
    where l.name = target and l.last = expected and ${schema}.is_alive(l.expires_at)
    returning l.id, l.last into head, moved;
  else
    if expected = 0 and added > 0 then
      insert into ${schema}.logs as l (name, last, expires_at) values (target, added, expiry)
      on conflict (name) do nothing
      returning l.id, l.last into head, moved;
    end if;
    if head is null then
      select m.id, m.last into head, moved from ${schema}.move_log(target, expected, added, expiry) as m;
    end if;
  end if;
  if moved is null or added = 0 then
    return moved;
  elsif added = 1 then
    insert into ${schema}.entries (log, seq, value) values (head, moved, contents[1]);
  else
    insert into ${schema}.entries (log, seq, value)
    select head, moved - added + place, content from unnest(contents) with ordinality as c (content, place);
  end if;
  return moved;
end $$;
`
}
