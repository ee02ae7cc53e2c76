/** Time for which a broken store keeps acknowledged data in memory, like a cache that is flushed too late. */
export const lateMs = 400;
