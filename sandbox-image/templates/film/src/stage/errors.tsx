import { Component, type ReactNode, type RefObject } from 'react';

let lastMessage: string | null = null;

export function lastError(): string | null {
  return lastMessage;
}

/** Returns the message and its position in the project's code. */
function describe(error: Error): string {
  const own = (error.stack ?? '').split('\n').filter((line) => line.includes('/src/'));
  const places = own.map((line) =>
    line
      .trim()
      .replace(/https?:\/\/[^/]+/u, '')
      .replace(/\?t=\d+/u, ''),
  );
  return [error.message, ...places].join('\n');
}

/** Reports an error to the renderer and the studio, and shows it on the page. */
export function showError(error: unknown): void {
  const message = error instanceof Error ? describe(error) : String(error);
  lastMessage = message;
  window.__reportError(message);
  const panel = document.querySelector('.error-panel') ?? document.body.appendChild(document.createElement('pre'));
  panel.className = 'error-panel';
  panel.textContent = message;
}

export function clearError(): void {
  lastMessage = null;
  document.querySelector('.error-panel')?.remove();
}

/** Shows a scene's error instead of a blank page, and retries after the next edit. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    showError(error);
  }

  override componentDidUpdate(before: { children: ReactNode }): void {
    if (this.state.failed && before.children !== this.props.children) this.setState({ failed: false });
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}

interface EditBoundaryProps {
  /** Content drawn by the scene's file. */
  readonly children: ReactNode;
  /** Content with the user's edit applied, which replaces it; `null` if there is no edit. */
  readonly edited: ReactNode;
  /** Content that was drawn last without an error. The caller keeps it, because hot reload remounts a failed boundary. */
  readonly lastGood: RefObject<ReactNode>;
}

/** Keeps drawing a scene's last valid edit while a newer one throws. Errors from the file itself propagate. */
export class EditBoundary extends Component<EditBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidMount(): void {
    if (this.state.error === null) this.props.lastGood.current = this.#wanted;
  }

  override componentDidUpdate(before: EditBoundaryProps): void {
    const { children, edited, lastGood } = this.props;
    if (this.state.error === null) lastGood.current = this.#wanted;
    else if (before.children !== children || before.edited !== edited) this.setState({ error: null });
  }

  override componentDidCatch(error: Error): void {
    if (this.props.edited !== null) window.__reportError(describe(error));
  }

  get #wanted(): ReactNode {
    return this.props.edited ?? this.props.children;
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.#wanted;
    if (this.props.edited === null) throw error;
    return this.props.lastGood.current ?? this.props.children;
  }
}
