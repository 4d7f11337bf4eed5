import type { ComponentChildren } from 'preact';

interface PanelProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly tools?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Panel({ title, lead, tools, children, ...rest }: PanelProps) {
  return (
    <section class={`panel ${rest.class ?? ''}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {tools && <div class="toolbar">{tools}</div>}
      </header>
      {lead && <p class="description">{lead}</p>}
      {children}
    </section>
  );
}
