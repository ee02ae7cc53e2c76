/** Where the edge between two versions goes when a key is pressed; null = the key is for something else. */
export function wipeAfterKey(share: number, { key, shiftKey }: { key: string; shiftKey: boolean }): number | null {
  const step = shiftKey ? 0.1 : 0.01;
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, share - step);
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(1, share + step);
    case 'PageDown':
      return Math.max(0, share - 0.1);
    case 'PageUp':
      return Math.min(1, share + 0.1);
    case 'Home':
      return 0;
    case 'End':
      return 1;
    default:
      return null;
  }
}
