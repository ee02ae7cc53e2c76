/** How long a broken store keeps in memory what it has acknowledged: as a cache that nobody flushes. */
export const lateMs = 400;
