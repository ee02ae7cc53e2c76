/**
 * Time for which a broken store keeps acknowledged data in memory, like a cache that is flushed too late. Longer than the kill
 * takes to follow the acknowledgement, even on a busy machine.
 */
export const lateMs = 60_000;
