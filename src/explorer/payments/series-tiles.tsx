import { isPercentage } from '../breakdown/changes.ts';
import { ChangeValue } from '../components/number-cell.tsx';
import { formatFigure, formatWithUnit, getUnit, pluralize } from '../formatting/numbers.ts';
import { describeHeadline, getHeadline, type SeriesData } from './series-data.ts';

/** The newest figure of a series, and how it changed. */
export function SeriesTiles({ series }: { readonly series: SeriesData }) {
  const headline = getHeadline(series);
  if (!headline) return null;
  const { labels, records, periodNoun, periodsPerYear } = series;
  const { values, unitInfo } = headline;
  const newest = values.at(-1);
  const count = records.filter((record) => record !== undefined).length;
  const changes = [
    { title: 'Change on the year', step: periodsPerYear },
    ...(periodsPerYear === 1 ? [] : [{ title: `Change on the ${periodNoun} before`, step: 1 }]),
  ];
  const tiles = [
    {
      title: `Newest ${periodNoun}`,
      value: labels.at(-1),
      note: `${pluralize(count, periodNoun)} since ${labels[0]}`,
    },
    {
      title: describeHeadline(series, headline),
      value: isPercentage(unitInfo)
        ? formatWithUnit(newest, unitInfo)
        : formatFigure(newest, unitInfo),
      note: isPercentage(unitInfo) ? 'of the total' : getUnit(unitInfo),
    },
    ...changes.map(({ title, step }) => {
      const earlier = values.at(-1 - step);
      const note =
        earlier === undefined
          ? 'nothing to compare with'
          : `from ${formatWithUnit(earlier, unitInfo)} in ${labels.at(-1 - step)}`;
      return { title, value: <ChangeValue later={newest} {...{ earlier, unitInfo }} />, note };
    }),
  ];
  return (
    <div class="tiles series-tiles">
      {tiles.map(({ title, value, note }) => (
        <div key={title} class="tile">
          <small>{title}</small>
          <b>{value}</b>
          <span>{note}</span>
        </div>
      ))}
    </div>
  );
}
