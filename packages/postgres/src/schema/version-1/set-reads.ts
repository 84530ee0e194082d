import { byIndex } from './by-index.js'

/** Reads of parts of many sets at once. */
export function setReads(schema: string): string {
  const isAlive = (name: string): string =>
    `not exists (select from ${schema}.sets as s where s.name = ${name} and not ${schema}.is_alive(s.expires_at))`
  return `
-- Each part comes after a score and a member, in its direction of travel.
create function ${schema}.range(
  names text[], scores double precision[], ids text[], tos double precision[], reverses boolean[], limits bigint[]
) returns table (place bigint, member text, score double precision)
language plpgsql stable ${byIndex} as $$
begin
  return query
  select r.place, f.member, f.score
  from unnest(names, scores, ids, tos, reverses, limits) with ordinality as r (name, score, id, until, reverse, most, place)
  cross join lateral (
    (
      select m.member, m.score, row_number() over (order by m.score, m.member) as rank from ${schema}.members as m
      where not r.reverse and m.set = r.name and (m.score, m.member) > (r.score, r.id) and m.score <= r.until
      order by m.score, m.member limit r.most
    )
    union all
    (
      select m.member, m.score, row_number() over (order by m.score desc, m.member desc) as rank
      from ${schema}.members as m
      where r.reverse and m.set = r.name and (m.score, m.member) < (r.score, r.id) and m.score >= r.until
      order by m.score desc, m.member desc limit r.most
    )
  ) as f
  where ${isAlive('r.name')}
  order by r.place, f.rank;
end $$;

create function ${schema}.count_members(names text[], limits bigint[]) returns table (place bigint, members bigint)
language plpgsql stable ${byIndex} as $$
begin
  return query
  select r.place, (select count(*) from (select from ${schema}.members as m where m.set = r.name limit r.most) as c)
  from unnest(names, limits) with ordinality as r (name, most, place)
  where ${isAlive('r.name')};
end $$;
`
}
