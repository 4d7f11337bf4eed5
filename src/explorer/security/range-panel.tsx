import type { ComponentChildren, RefObject } from 'preact';
import { Panel, QueryView, type QueryViewProps } from '../components/panel.tsx';
import type { ExportMenuProps } from '../export/export-menu.tsx';
import { type DayRange, validateDayRange } from './day-range.ts';
import { DayRangeBar, EmptyRange } from './day-range-bar.tsx';
import type { QuotedSecurity } from './quoted-security.ts';

interface RangePanelProps<T> extends Omit<QueryViewProps<T>, 'subject'> {
  readonly title: string;
  readonly security: QuotedSecurity;
  readonly range: DayRange;
  readonly isEmpty: boolean;
  /** The element around the charts. */
  readonly chartRef: RefObject<HTMLDivElement | null>;
  readonly exported: ExportMenuProps;
  /** Further controls, after those of the range. */
  readonly controls: ComponentChildren;
}

/** Charts of the days that the visitor chooses. */
export function RangePanel<T>(props: RangePanelProps<T>) {
  const { title, security, range, query, isEmpty, chartRef, exported, controls } = props;
  const isValid = validateDayRange(range) === undefined;
  return (
    <Panel title={title} class="history" exported={isValid ? exported : undefined}>
      <div class="history-controls row">
        <DayRangeBar security={security} range={range} />
        {controls}
      </div>
      <div ref={chartRef}>
        {isValid && !(isEmpty && !query.isLoading) ? (
          <QueryView query={query} subject="quotes">
            {props.children}
          </QueryView>
        ) : (
          <EmptyRange security={security} range={range} />
        )}
      </div>
    </Panel>
  );
}
