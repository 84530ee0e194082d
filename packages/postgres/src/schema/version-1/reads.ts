import { byIndex } from './by-index.js'

/** Reads of many keys, and of parts of many logs, at once. */
export function reads(schema: string): string {
  return `
create function ${schema}.get(names text[]) returns table (place bigint, value text, version bigint)
language plpgsql stable ${byIndex} as $$
begin
  return query
  select r.place, k.value, k.version
  from unnest(names) with ordinality as r (name, place)
  join ${schema}.keys as k on k.name = r.name
  where ${schema}.is_alive(k.expires_at);
end $$;

create function ${schema}.read(names text[], afters bigint[], limits bigint[])
returns table (place bigint, seq bigint, value text)
language plpgsql stable ${byIndex} as $$
begin
  return query
  select r.place, e.seq, e.value
  from unnest(names, afters, limits) with ordinality as r (name, after, most, place)
  join ${schema}.logs as l on l.name = r.name
  cross join lateral (
    select i.seq, i.value from ${schema}.entries as i
    where i.log = l.id and i.seq > r.after order by i.seq limit r.most
  ) as e
  where ${schema}.is_alive(l.expires_at)
  order by r.place, e.seq;
end $$;
`
}
