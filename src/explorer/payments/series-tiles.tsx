import { computeChange, isPercentage } from '../breakdown/changes.ts';
import { pluralize } from '../breakdown/checks-panel.tsx';
import type { BreakdownComponent } from '../breakdown/component.ts';
import { ChangeValue } from '../components/number-cell.tsx';
import { formatFigure, formatWithUnit, getUnit } from '../formatting/numbers.ts';
import { describeHeadline, getHeadline, type SeriesData } from './series-data.ts';

/** What most come for: the newest figure, and how it changed. */
export function SeriesTiles({ series }: { readonly series: SeriesData }) {
  const headline = getHeadline(series);
  if (!headline) return null;
  const { labels, records, periodNoun, periodsPerYear } = series;
  const last = labels.length - 1;
  const newest = headline.values[last];
  const count = records.filter((record) => record !== undefined).length;
  return (
    <div class="tiles">
      <div class="tile">
        <small>Newest {periodNoun}</small>
        <b>{labels[last]}</b>
        <span>
          {pluralize(count, periodNoun)} since {labels[0]}
        </span>
      </div>
      <div class="tile">
        <small>{describeHeadline(series, headline)}</small>
        <b>
          {isPercentage(headline.measure)
            ? formatWithUnit(newest, headline.measure)
            : formatFigure(newest, headline.measure)}
        </b>
        <span>{isPercentage(headline.measure) ? 'of the whole' : getUnit(headline.measure)}</span>
      </div>
      {periodsPerYear !== undefined && (
        <ChangeTile
          title="Change on the year"
          series={series}
          part={headline}
          step={periodsPerYear}
        />
      )}
      {periodsPerYear !== 1 && (
        <ChangeTile
          title={`Change on the ${periodNoun} before`}
          series={series}
          part={headline}
          step={1}
        />
      )}
    </div>
  );
}

interface ChangeTileProps {
  readonly title: string;
  readonly series: SeriesData;
  readonly part: BreakdownComponent;
  readonly step: number;
}

function ChangeTile({ title, series, part: { values, measure }, step }: ChangeTileProps) {
  const { labels } = series;
  const before = labels.length - 1 - step;
  const earlier = values[before];
  return (
    <div class="tile">
      <small>{title}</small>
      <b>
        <ChangeValue value={computeChange(values.at(-1), earlier, measure)} measure={measure} />
      </b>
      <span>
        {earlier === undefined
          ? 'nothing to compare with'
          : `from ${formatWithUnit(earlier, measure)} in ${labels[before]}`}
      </span>
    </div>
  );
}
