import { type ChartMark, Legend } from '../charts/legend.tsx';
import { EmptyState } from '../components/panel.tsx';
import { type ParamChanges, updateParams } from '../routing/view-route.tsx';
import { type ColoredComponent, type Palette, toggleHidden } from './breakdown-components.ts';

interface ComponentLegendProps {
  readonly components: readonly ColoredComponent[];
  readonly hidden: ReadonlySet<string>;
  /** How the chart draws them; as areas by default. */
  readonly mark?: ChartMark;
  /** The URL parameters without a component, by its key; undefined if it cannot be removed. */
  readonly getRemoval?: ((key: string) => ParamChanges | undefined) | undefined;
}

/** The legend of components, each a button that hides or shows it. */
export function ComponentLegend({ components, hidden, mark, getRemoval }: ComponentLegendProps) {
  return (
    <Legend
      items={components.map(({ key, title, hint, colorIndex }) => {
        const removal = getRemoval?.(key);
        const remove = () => updateParams({ ...removal, hide: toggleHidden(hidden, key, true) });
        return { key, name: title, hint, colorIndex, mark, onRemove: removal && remove };
      })}
      hidden={hidden}
      onToggle={(key) => updateParams({ hide: toggleHidden(hidden, key) })}
    />
  );
}

/** Shown in place of a chart whose components are all hidden. */
export function AllHiddenState() {
  return <EmptyState title="Everything is hidden">Press a name above to show it again.</EmptyState>;
}

/** Names the components that have no colour of their own. */
export function SharedColorNote({ smallest }: Pick<Palette, 'smallest'>) {
  if (smallest.length === 0) return null;
  return (
    <p class="help">
      There are more components than colours: the smallest share the grey one, which are{' '}
      {smallest.map(({ title }) => title).join(', ')}.
    </p>
  );
}
