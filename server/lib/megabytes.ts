/** Returns whole megabytes (2^20 bytes), for messages about limits. */
export function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
