/** Writes to keys. What they give is null when nothing was written. */
export function keys(schema: string): string {
  return `
create function ${schema}.set_key(key text, content text, expiry double precision) returns void language plpgsql as $$
begin
  insert into ${schema}.keys as k (name, value, version, expires_at)
  values (key, content, nextval('${schema}.versions'), expiry)
  on conflict (name) do update
  set value = excluded.value, version = excluded.version, expires_at = excluded.expires_at;
end $$;

create function ${schema}.compare_and_set(key text, expected text, content text, expiry double precision)
returns bigint language plpgsql as $$
declare
  written bigint;
begin
  if expected is null then
    insert into ${schema}.keys as k (name, value, version, expires_at)
    values (key, content, nextval('${schema}.versions'), expiry)
    on conflict (name) do update
    set value = excluded.value, version = excluded.version, expires_at = excluded.expires_at
    where not ${schema}.is_alive(k.expires_at)
    returning k.version into written;
  else
    update ${schema}.keys as k
    set value = content, version = nextval('${schema}.versions'), expires_at = expiry
    where k.name = key and k.version::text = expected and ${schema}.is_alive(k.expires_at)
    returning k.version into written;
  end if;
  return written;
end $$;

create function ${schema}.delete_key(key text) returns boolean language plpgsql as $$
declare
  was_alive boolean;
begin
  delete from ${schema}.keys as k where k.name = key returning ${schema}.is_alive(k.expires_at) into was_alive;
  return coalesce(was_alive, false);
end $$;
`
}
