import { texts } from '../texts.ts';

/** What stands beside a changed place of a comparison: there is one way only, back to what it was. */
export function putBackButton(type: 'reject' | 'accept', action: (event: MouseEvent) => void): HTMLElement {
  if (type === 'accept') return document.createElement('span');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = texts.code.putBack;
  // The press itself must not move the caret; the click comes from the keyboard, too.
  button.addEventListener('mousedown', (event) => event.preventDefault());
  button.addEventListener('click', action);
  return button;
}
