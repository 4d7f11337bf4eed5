import { Button } from '../components/button.tsx';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { Select } from '../components/select.tsx';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import { listYears, type ShownTimeline, SPAN_YEARS } from './period-timeline.ts';

const SPANS = Object.fromEntries([...SPAN_YEARS.keys()].map((span) => [span, span]));
const RESET = { from: undefined, to: undefined };

/** How far back charts reach; a range that was dragged over can be left again. */
export function RangeControl({ timeline }: { readonly timeline: ShownTimeline }) {
  const { span = 'All', from, to } = useViewRoute().params;
  const isDragged = (from ?? to) !== undefined;
  const choose = (key: string) => updateParams({ ...RESET, span: key === 'All' ? undefined : key });
  if (listYears(timeline).length < 2) return null;
  return (
    <>
      <SegmentedControl
        label="Range"
        options={SPANS}
        value={isDragged ? '' : span}
        onChange={choose}
      />
      {isDragged && <Button onClick={() => updateParams(RESET)}>Back to {span}</Button>}
    </>
  );
}

/** The year whose mean is 100. */
export function BaseSelect({ timeline }: { readonly timeline: ShownTimeline }) {
  const years = listYears(timeline).map((key) => ({ key, text: `${key} = 100` }));
  return (
    <Select
      label="Base period"
      options={[{ key: '', text: 'first = 100' }, ...years]}
      value={useViewRoute().params.base ?? ''}
      onChange={(base) => updateParams({ base })}
    />
  );
}
