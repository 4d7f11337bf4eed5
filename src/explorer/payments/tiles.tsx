import { changeBetween, isShare } from '../composition/changes.ts';
import { counted } from '../composition/checks.tsx';
import { Change } from '../composition/figure-cell.tsx';
import type { Part } from '../composition/part.ts';
import { figure, unitOf, withUnit } from '../figures/figures.ts';
import { headlineOf, headlineWords, type Series } from './series.ts';

/** What most come for: the newest figure, and how it changed. */
export function Tiles({ series }: { readonly series: Series }) {
  const headline = headlineOf(series);
  if (!headline) return null;
  const { labels, records, noun, perYear } = series;
  const last = labels.length - 1;
  const newest = headline.values[last];
  const count = records.filter((record) => record !== undefined).length;
  return (
    <div class="tiles series-tiles">
      <div class="tile">
        <small>Newest {noun}</small>
        <b>{labels[last]}</b>
        <span>
          {counted(count, noun)} since {labels[0]}
        </span>
      </div>
      <div class="tile">
        <small>{headlineWords(series, headline)}</small>
        <b>
          {isShare(headline.measure)
            ? withUnit(newest, headline.measure)
            : figure(newest, headline.measure)}
        </b>
        <span>{isShare(headline.measure) ? 'of the whole' : unitOf(headline.measure)}</span>
      </div>
      {perYear !== undefined && (
        <ChangeTile title="Change on the year" series={series} part={headline} step={perYear} />
      )}
      {perYear !== 1 && (
        <ChangeTile
          title={`Change on the ${noun} before`}
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
  readonly series: Series;
  readonly part: Part;
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
        <Change value={changeBetween(values.at(-1), earlier, measure)} measure={measure} />
      </b>
      <span>
        {earlier === undefined
          ? 'nothing to compare with'
          : `from ${withUnit(earlier, measure)} in ${labels[before]}`}
      </span>
    </div>
  );
}
