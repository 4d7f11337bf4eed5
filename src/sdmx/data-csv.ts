import { formatDelimitedCell } from '../shared/delimited-cell.ts';
import { type DataWriter, getKey, getSeriesAttributes } from './data-xml.ts';
import { type Flow, VERSION } from './flow.ts';
import type { DataQuery } from './message-query.ts';
import type { Point } from './read-series.ts';

/** SDMX-CSV: a line for each observation, or for each series if only these are selected. */
export function createCsvWriter(
  flow: Flow,
  { detail, format }: Pick<DataQuery, 'detail' | 'format'>,
): DataWriter {
  const { agency, id, dimensions, attributes } = flow;
  const hasPoints = detail === 'full' || detail === 'dataonly';
  const hasSeriesAttributes = detail === 'full' || detail === 'nodata';
  const isFull = detail === 'full';
  const reference = `${agency}:${id}(${VERSION})`;
  const [names, values] =
    format === 'csv2'
      ? [
          ['STRUCTURE', 'STRUCTURE_ID', 'ACTION'],
          ['dataflow', reference, 'I'],
        ]
      : [['DATAFLOW'], [reference]];
  const hasYear = attributes.some(({ id: name }) => name === 'REPORTING_YEAR_START_DAY');
  const columns = [
    ...names,
    ...dimensions.map((dimension) => dimension.id),
    ...(hasPoints ? ['TIME_PERIOD', 'OBS_VALUE'] : []),
    ...(isFull ? ['OBS_STATUS'] : []),
    ...(hasSeriesAttributes ? ['UNIT_MEASURE', 'UNIT_MULT', 'DECIMALS'] : []),
    ...(isFull && hasYear ? ['REPORTING_YEAR_START_DAY'] : []),
  ];
  const start = values.map(formatDelimitedCell).join();
  return {
    start: `${columns.join()}\n`,
    end: '',
    *writeSeries({ codes, measures, points }) {
      for (const measure of measures) {
        const { getValue } = measure;
        const key = `${start},${Object.values(getKey(flow, codes, measure)).join()}`;
        const { UNIT_MEASURE, UNIT_MULT, DECIMALS } = getSeriesAttributes(measure);
        const unit = hasSeriesAttributes
          ? `,${formatDelimitedCell(String(UNIT_MEASURE))},${UNIT_MULT},${DECIMALS ?? ''}`
          : '';
        if (!hasPoints) {
          yield `${key}${unit}\n`;
          continue;
        }
        let text = '';
        let tail = '';
        let last: Point | undefined;
        for (const point of points) {
          const { period, status, record } = point;
          if (!last || status !== last.status || period.yearStartDay !== last.period.yearStartDay) {
            last = point;
            tail = `${isFull ? `,${status}` : ''}${unit}${isFull && hasYear ? `,${period.yearStartDay ?? ''}` : ''}\n`;
          }
          text += `${key},${period.text},${getValue(record) ?? ''}${tail}`;
        }
        yield text;
      }
    },
  };
}
