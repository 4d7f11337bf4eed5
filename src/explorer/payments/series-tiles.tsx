import { isPercentage } from '../breakdown/changes.ts';
import type { BreakdownComponent } from '../breakdown/component.ts';
import { ChangeValue } from '../components/number-cell.tsx';
import { formatFigure, formatWithUnit, getUnit, pluralize } from '../formatting/numbers.ts';
import { describeHeadline, getHeadline, type SeriesData } from './series-data.ts';

/** The newest figure of a series, and how it changed. */
export function SeriesTiles({ series }: { readonly series: SeriesData }) {
  const headline = getHeadline(series);
  if (!headline) return null;
  const { labels, records, periodNoun, periodsPerYear } = series;
  const { unitInfo } = headline;
  const newest = headline.values.at(-1);
  const count = records.filter((record) => record !== undefined).length;
  return (
    <div class="tiles">
      <div class="tile">
        <small>Newest {periodNoun}</small>
        <b>{labels.at(-1)}</b>
        <span>
          {pluralize(count, periodNoun)} since {labels[0]}
        </span>
      </div>
      <div class="tile">
        <small>{describeHeadline(series, headline)}</small>
        <b>
          {isPercentage(unitInfo)
            ? formatWithUnit(newest, unitInfo)
            : formatFigure(newest, unitInfo)}
        </b>
        <span>{isPercentage(unitInfo) ? 'of the total' : getUnit(unitInfo)}</span>
      </div>
      <ChangeTile title="Change on the year" {...{ series, headline }} step={periodsPerYear} />
      {periodsPerYear !== 1 && (
        <ChangeTile
          title={`Change on the ${periodNoun} before`}
          {...{ series, headline }}
          step={1}
        />
      )}
    </div>
  );
}

interface ChangeTileProps {
  readonly title: string;
  readonly series: SeriesData;
  readonly headline: BreakdownComponent;
  readonly step: number;
}

function ChangeTile({ title, series, headline: { values, unitInfo }, step }: ChangeTileProps) {
  const earlier = values.at(-1 - step);
  return (
    <div class="tile">
      <small>{title}</small>
      <b>
        <ChangeValue later={values.at(-1)} earlier={earlier} unitInfo={unitInfo} />
      </b>
      <span>
        {earlier === undefined
          ? 'nothing to compare with'
          : `from ${formatWithUnit(earlier, unitInfo)} in ${series.labels.at(-1 - step)}`}
      </span>
    </div>
  );
}
