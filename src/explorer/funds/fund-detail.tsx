import { useMemo } from 'preact/hooks';
import { NotesPanel } from '../components/panel.tsx';
import { CorrectionsPanel, useCorrections } from '../corrections/corrections-panel.tsx';
import { SeriesChartPanel } from '../datasets/series-chart-panel.tsx';
import { SeriesTablePanel } from '../datasets/series-table-panel.tsx';
import { ChecksPanel } from '../series/checks-panel.tsx';
import { createFundRequest, type FundAllocationRecord } from './fund-record.ts';
import { buildFundSeries, createFundViewOptions, type FundViewOptions } from './fund-series.ts';
import { SharesPanel } from './shares-panel.tsx';

interface FundDetailProps extends Pick<FundViewOptions, 'entry' | 'nameFund'> {
  /** One fund, or two to compare. */
  readonly records: readonly FundAllocationRecord[];
}

export function FundDetail({ entry, records, nameFund }: FundDetailProps) {
  const options = useMemo(() => createFundViewOptions(entry, records, nameFund), [entry, records]);
  const [record, otherRecord] = records;
  if (!record) return null;
  if (!otherRecord) return <SingleFund record={record} options={options} />;
  return (
    <>
      <div class="columns fund-pair">
        {records.map((each) => (
          <AllocationPanel
            key={each.fund_id}
            title={`${nameFund(each.fund_id)}: allocation`}
            record={each}
            options={options}
          />
        ))}
      </div>
      <div class="columns">
        <SharesPanel record={record} otherRecord={otherRecord} options={options} />
        <NotesPanel entry={entry} />
      </div>
    </>
  );
}

interface FundProps {
  readonly record: FundAllocationRecord;
  readonly options: FundViewOptions;
}

/** A fund as a series, with its corrections. */
function useFundSeries({ record, options }: FundProps) {
  const { entry, nameFund } = options;
  const { series, gaps } = useMemo(() => buildFundSeries(record, options), [record, options]);
  const correctionsQuery = useCorrections(entry, { fund_id: record.fund_id });
  const panelProps = {
    entry,
    series,
    shownTitle: `${entry.title}, ${nameFund(record.fund_id)}`,
    request: createFundRequest(entry, record.fund_id),
    corrections: correctionsQuery.corrections,
  };
  return { panelProps, gaps, correctionsQuery };
}

export function AllocationPanel({ title, ...fund }: FundProps & { readonly title: string }) {
  return <SeriesChartPanel {...useFundSeries(fund).panelProps} title={title} />;
}

function SingleFund(fund: FundProps) {
  const { record, options } = fund;
  const { panelProps, gaps, correctionsQuery } = useFundSeries(fund);
  // Periods are checked one by one, so that each violation is listed with its period.
  const periods = record.periods.map((period, index) => {
    const rows = record.rows.map(({ label, values }) => ({ label, values: [values[index]] }));
    return { label: period.label, record: { ...record, periods: [period], rows } };
  });
  return (
    <>
      <div class="columns">
        <SeriesChartPanel {...panelProps} title="Allocation" />
        <div class="stack">
          <SharesPanel {...fund} />
          <NotesPanel entry={options.entry} />
          <ChecksPanel
            entry={options.entry}
            periods={periods}
            gaps={gaps.map(
              ([before, after]) =>
                `Nothing was published between ${before.label} and ${after.label}`,
            )}
            periodNoun="period"
          />
        </div>
      </div>
      <div class="columns">
        <SeriesTablePanel {...panelProps} />
        <CorrectionsPanel {...correctionsQuery} />
      </div>
    </>
  );
}
