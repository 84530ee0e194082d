import { byIndex } from './by-index.js'

/** All writes, many at once. */
export function apply(schema: string): string {
  return `
-- Writes, one after the other, all in one transaction. The caller puts them in the order of their names, so that two
-- that meet wait for each other and never both. One that requires another is left out when that gave null.
create function ${schema}.apply(
  kinds text[], names text[], expected text[], expiries double precision[], counts integer[], contents text[],
  scores double precision[], required integer[]
) returns text[] language plpgsql ${byIndex} as $$
declare
  results text[] := '{}';
  used integer := 0;
  result text;
  held text;
begin
  for i in 1 .. cardinality(kinds) loop
    result := null;
    if required[i] is not null and results[required[i]] is null then
      used := used + counts[i];
      results := results || result;
      continue;
    end if;
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
        -- A slice costs a copy of all contents, and most have one.
        if counts[i] = 1 then
          result := ${schema}.append(names[i], expected[i]::bigint, array[contents[used + 1]], expiries[i]);
        else
          result := ${schema}.append(names[i], expected[i]::bigint, contents[used + 1 : used + counts[i]], expiries[i]);
        end if;
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
    used := used + counts[i];
    results := results || result;
  end loop;
  return results;
end $$;
`
}
