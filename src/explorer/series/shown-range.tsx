import { RangePicker } from '../components/range-picker.tsx';
import { Select } from '../components/select.tsx';
import { parseOption } from '../routing/parse-option.ts';
import { updateParams, useViewRoute } from '../routing/view-route.tsx';
import { listYears, PERIOD_SPANS, type ShownTimeline } from './period-timeline.ts';

/** How far back charts reach; nothing to choose from within a year. */
export function RangeControl({ timeline }: { readonly timeline: ShownTimeline }) {
  const span = parseOption(PERIOD_SPANS, useViewRoute().params.span);
  if (listYears(timeline).length < 2) return null;
  return <RangePicker options={PERIOD_SPANS} value={span} usual="All" />;
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
