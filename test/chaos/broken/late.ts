/** How long a broken store keeps acknowledged data in memory, like a cache that is never flushed. */
export const lateMs = 400;
