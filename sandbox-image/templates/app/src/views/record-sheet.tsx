export function OpenSheet() {
  return null;
}
