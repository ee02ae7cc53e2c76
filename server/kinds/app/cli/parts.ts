const maxPartBytes = 600 * 1024;

/** Divides items so that the JSON of each part stays below the size of a request. An item that is larger is a part of its own. */
export function partsOf<T>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const itemBytes = Buffer.byteLength(JSON.stringify(item)) + 1;
    const last = parts.at(-1);
    if (last === undefined || bytes + itemBytes > maxPartBytes) {
      parts.push([item]);
      bytes = itemBytes;
    } else {
      last.push(item);
      bytes += itemBytes;
    }
  }
  return parts;
}
