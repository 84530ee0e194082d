import { byIndex } from './by-index.js'

/** All writes, many at once. */
export function apply(schema: string): string {
  return `
-- Writes, one after the other, all in one transaction; appends from one place to another, and changes of sets from a place on,
-- all at once where the caller says so: then \`owners\` and \`nths\` have for each content of those appends whose it is. The caller
-- puts them in the order of their names, so that of two that meet one waits for the other. Should both wait all the same, the database ends one of them, and its caller tries again.
-- One that requires another is left out when that gave null.
create function ${schema}.apply(
  kinds text[], names text[], expected text[], expiries double precision[], counts integer[], contents text[],
  scores double precision[], required integer[], logs_from integer, logs_to integer, sets_from integer,
  owners integer[], nths integer[]
) returns text[] language plpgsql ${byIndex} as $$
declare
  total constant integer := cardinality(kinds);
  results text[] := '{}';
  i integer := 1;
  used integer := 0;
  result text;
  held text;
begin
  while i <= total loop
    if i = logs_from then
      results := results || ${schema}.append_all(
        names[logs_from : logs_to], expected[logs_from : logs_to]::bigint[], expiries[logs_from : logs_to],
        counts[logs_from : logs_to], contents[used + 1 : used + cardinality(owners)], owners, nths
      )::text[];
      used := used + cardinality(owners);
      i := logs_to + 1;
      continue;
    elsif i = sets_from then
      results := results || ${schema}.change_members(
        kinds[i :], names[i :], contents[used + 1 :], scores[i :], expected[i :]::double precision[],
        array(select r is null or results[r] is not null from unnest(required[i :]) with ordinality as w (r, place) order by place)
      )::text[];
      exit;
    end if;
    result := null;
    if required[i] is null or results[required[i]] is not null then
      -- Those of one set stand together, and hold it once; again after one that gave it an expiry, which may have passed.
      if kinds[i] in ('put', 'remove') and names[i] is distinct from held then
        perform ${schema}.hold_set(names[i]);
        held := names[i];
      end if;
      case kinds[i]
        when 'set' then
          perform ${schema}.set_key(names[i], contents[used + 1], expiries[i]);
        when 'compareAndSet' then
          result := ${schema}.compare_and_set(names[i], expected[i], contents[used + 1], expiries[i]);
        when 'delete' then
          result := ${schema}.delete_key(names[i]);
        when 'append' then
          result := ${schema}.append(names[i], expected[i]::bigint, contents[used + 1 : used + counts[i]], expiries[i]);
        when 'erase' then
          result := ${schema}.erase_log(names[i], false);
        when 'trim' then
          perform ${schema}.trim_log(names[i], expected[i]::bigint);
        when 'put' then
          result := ${schema}.put(names[i], contents[used + 1], scores[i], expected[i], expiries[i]);
          held := case when expiries[i] is null then held end;
        when 'remove' then
          result := ${schema}.remove(names[i], contents[used + 1], expected[i]::double precision);
      end case;
    end if;
    used := used + counts[i];
    results := results || result;
    i := i + 1;
  end loop;
  return results;
end $$;
`
}
