import { byIndex } from './by-index.js'

/** Housekeeping. */
export function sweep(schema: string): string {
  return `
-- Deletes about so many of the rows that have expired, and says how many. It waits for nobody: what someone is at work on
-- is left for the next time, and so is everything while another node sweeps.
create function ${schema}.sweep(most integer) returns integer language plpgsql ${byIndex} as $$
declare
  moment constant double precision := ${schema}.now_ms();
  removed integer;
  part integer;
  head record;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('beckon.sweep', '${schema}.keys'::regclass::oid::bigint)) then
    return 0;
  end if;
  delete from ${schema}.keys as k where k.ctid = any (array(
    select e.ctid from ${schema}.keys as e where e.expires_at <= moment order by e.expires_at limit most for update skip locked
  ));
  get diagnostics removed = row_count;
  for head in
    select l.id, l.name from ${schema}.logs as l where l.expires_at <= moment order by l.expires_at limit most for update skip locked
  loop
    exit when removed >= most;
    delete from ${schema}.entries as e
    where e.log = head.id and e.seq < most - removed + (select min(s.seq) from ${schema}.entries as s where s.log = head.id);
    get diagnostics part = row_count;
    removed := removed + part;
    if not exists (select from ${schema}.entries as e where e.log = head.id) then
      delete from ${schema}.logs as l where l.name = head.name;
      removed := removed + 1;
    end if;
  end loop;
  for head in
    select s.name from ${schema}.sets as s where s.expires_at <= moment order by s.expires_at limit most for update skip locked
  loop
    exit when removed >= most;
    delete from ${schema}.members as m where m.set = head.name and m.member = any (array(
      select f.member from ${schema}.members as f where f.set = head.name limit most - removed for update skip locked
    ));
    get diagnostics part = row_count;
    removed := removed + part;
    if not exists (select from ${schema}.members as m where m.set = head.name) then
      delete from ${schema}.sets as s where s.name = head.name;
      removed := removed + 1;
    end if;
  end loop;
  return removed;
end $$;
`
}
