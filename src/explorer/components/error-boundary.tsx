import { Component, type ComponentChildren } from 'preact';
import { EmptyState } from './query-view.tsx';

/** Keeps a fault of a view to that view: what is around it goes on. */
export class ErrorBoundary extends Component<{ children: ComponentChildren }, { fault?: unknown }> {
  static override getDerivedStateFromError(fault: unknown) {
    return { fault };
  }

  override componentDidCatch(fault: unknown): void {
    console.error(fault);
  }

  override render() {
    if (!('fault' in this.state)) return this.props.children;
    return (
      <EmptyState title="This view has failed">
        That is a fault of the page: {String(this.state.fault)}. <a href="?">Start again</a>, or
        look at another view.
      </EmptyState>
    );
  }
}
