/** What stands beside a changed place of a comparison: there is one way only, back to what it was. */
export function putBackButton(type: 'reject' | 'accept', action: (event: MouseEvent) => void): HTMLElement {
  if (type === 'accept') return document.createElement('span');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Put back';
  // The press itself must not move the caret; the click comes from the keyboard, too.
  button.addEventListener('mousedown', (event) => event.preventDefault());
  button.addEventListener('click', action);
  return button;
}

/** The same between two editors that stand side by side, where a press of the mouse is what is listened to. */
export function putBackArrow(): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = '→';
  button.title = 'Put back';
  button.setAttribute('aria-label', 'Put back');
  button.addEventListener('click', ({ detail }) => {
    // The keyboard presses no mouse button.
    if (detail === 0) button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }));
  });
  return button;
}
