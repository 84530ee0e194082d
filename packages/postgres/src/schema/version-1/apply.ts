import { byIndex } from './by-index.js'

/** All writes, many at once. */
export function apply(schema: string): string {
  return `
-- Writes, one after the other, all in one transaction. The caller puts them in the order of their names, so that two
-- that meet wait for each other and never both.
create function ${schema}.apply(
  kinds text[], names text[], expected text[], expiries double precision[], counts integer[], contents text[]
) returns text[] language plpgsql ${byIndex} as $$
declare
  results text[] := '{}';
  used integer := 0;
  result text;
begin
  for i in 1 .. cardinality(kinds) loop
    result := null;
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
    end case;
    used := used + counts[i];
    results := results || result;
  end loop;
  return results;
end $$;
`
}
