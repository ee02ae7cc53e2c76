import { Component, type ReactNode } from 'react';

interface Props {
  /** What stopped, as the user knows it: “Late fees”. */
  readonly name: string;
  readonly children: ReactNode;
}

/** Keeps an error in its part of the page: the rest goes on. */
export class Boundary extends Component<Props, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <section role="alert" className="stopped">
        <p>“{this.props.name}” stopped. The rest of the app works.</p>
        <p className="stopped-reason">{error.message}</p>
        <button type="button" onClick={() => this.setState({ error: null })}>
          Try again
        </button>
      </section>
    );
  }
}
