import { Component, type ReactNode } from 'react';
import { Button } from './ui/button.tsx';
import { ErrorCard } from './ui/states.tsx';

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
      <ErrorCard title={`“${this.props.name}” stopped. The rest of the app works.`} text={error.message}>
        <Button className="mt-3" onClick={() => this.setState({ error: null })}>
          Try again
        </Button>
      </ErrorCard>
    );
  }
}
