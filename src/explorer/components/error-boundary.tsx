import { Component, type ComponentChildren } from 'preact';
import { EmptyState } from './query-view.tsx';

/** Limits an exception in a view to that view. */
export class ErrorBoundary extends Component<{ children: ComponentChildren }, { error?: unknown }> {
  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render() {
    if (!('error' in this.state)) return this.props.children;
    return (
      <EmptyState title="This view has failed">
        This is a bug in the page: {String(this.state.error)}. <a href="?">Start again</a>, or open
        another view.
      </EmptyState>
    );
  }
}
