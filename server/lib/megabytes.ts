/** Whole megabytes (2^20 bytes), for sentences about limits. */
export function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
