/**
 * Everything is found by an index, and the planner is told so: it takes a table that was small a minute ago for one that
 * still is.
 */
export const byIndex = 'set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off'
