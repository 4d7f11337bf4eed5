import type { ComponentChildren } from 'preact';

interface PanelProps {
  readonly title: string;
  /** What is to be known about it, in a line. */
  readonly lead?: ComponentChildren;
  /** What can be done with it. */
  readonly tools?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of a view, with a title. */
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
