/** Kinds of `input` in which no text is written. */
const withoutText = ['button', 'checkbox', 'color', 'file', 'radio', 'range', 'reset', 'submit']
  .map((type) => `:not([type="${type}"])`)
  .join('');
const textFields = `input${withoutText}, textarea, select, [contenteditable]:not([contenteditable="false"])`;

/** Whether keys that go to an element are letters of a text. */
export function isTextTarget(target: Element): boolean {
  return target.closest(textFields) !== null;
}
