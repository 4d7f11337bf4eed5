import { Component, type ComponentChildren, type FunctionComponent, h } from 'preact';

/** A component that is drawn anew only where one of its properties is another. */
export function memo<P extends object>(
  draw: (props: P) => ComponentChildren,
): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const names = new Set([...Object.keys(next), ...Object.keys(this.props)]);
      return [...names].some(
        (name) => next[name as keyof P] !== (this.props as P)[name as keyof P],
      );
    }
    override render() {
      return draw(this.props as P);
    }
  }
  return (props) => h(Memo as never, props as never);
}
