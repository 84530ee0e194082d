/**
 * Everything is found by an index, and the planner is told so: it takes a table that was small a minute ago for one that
 * still is. A join could yet begin with all of the table: rows are looked up one by one instead, behind `offset 0`, which
 * the planner does not look through. So a plan is good for whatever is asked for: making one took longer than a read.
 */
export const byIndex =
  'set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan'
