import type { ComponentChildren } from 'preact';

interface Fact {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly hint?: string;
}

export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(({ name, value, hint }) => (
        <div key={name}>
          <dt title={hint}>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
