/** Connects the page with the studio that shows it in a frame. */
export function connectStudio(): void {
  if (window.parent === window) return;
}
