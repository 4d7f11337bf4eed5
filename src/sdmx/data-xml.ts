import { type Flow, type Measure, VERSION } from './flow.ts';
import type { DataQuery } from './message-query.ts';
import type { Point, PointSeries } from './read-series.ts';
import { formatUrn } from './structure-xml.ts';
import {
  formatAttributes,
  formatXmlHeader,
  type MessageHeader,
  SCHEMAS,
  XML_DECLARATION,
} from './xml.ts';

/** The parts of a data message in one format. */
export interface DataWriter {
  readonly start: string;
  readonly end: string;
  /** A part for each measure. */
  writeSeries(series: PointSeries): Iterable<string>;
}

type XmlAttributes = Readonly<Record<string, string | number | undefined>>;

/** Structure-specific data of SDMX-ML 2.1: a series for each key, or observations of their own. */
export function createXmlWriter(
  flow: Flow,
  { detail, dimensionAtObservation }: Pick<DataQuery, 'detail' | 'dimensionAtObservation'>,
  header: MessageHeader,
): DataWriter {
  const hasPoints = detail === 'full' || detail === 'dataonly';
  const atObservation = hasPoints ? dimensionAtObservation : 'TIME_PERIOD';
  const isFull = detail === 'full';
  const isYearOfSeries = hasYearOfSeries(flow);
  const writePoints =
    atObservation === 'TIME_PERIOD'
      ? createTimeSeriesWriter({ hasPoints, isFull, hasYear: !isYearOfSeries })
      : createObservationWriter(atObservation, isFull);
  return {
    start: formatStart(flow, atObservation, header),
    end: '</mes:DataSet></mes:StructureSpecificData>\n',
    *writeSeries({ codes, measures, points }) {
      const yearStartDay = isYearOfSeries ? points[0]?.period.yearStartDay : undefined;
      for (const measure of measures) {
        const key = getKey(flow, codes, measure);
        const attributes =
          isFull || detail === 'nodata' ? getSeriesAttributes(measure, yearStartDay) : {};
        yield writePoints(key, attributes, { measure, points });
      }
    },
  };
}

interface MeasuredPoints {
  readonly measure: Measure;
  readonly points: readonly Point[];
}

type WritePoints = (
  key: XmlAttributes,
  attributes: XmlAttributes,
  points: MeasuredPoints,
) => string;

interface PointOptions {
  readonly hasPoints: boolean;
  readonly isFull: boolean;
  /** Whether the first day of the year is an attribute of each observation. */
  readonly hasYear: boolean;
}

function createTimeSeriesWriter({ hasPoints, isFull, hasYear }: PointOptions): WritePoints {
  return (key, attributes, { measure: { getValue }, points }) => {
    const start = `<Series${formatAttributes({ ...key, ...attributes })}`;
    if (!hasPoints) return `${start}/>\n`;
    let text = `${start}>\n`;
    for (const { period, status, record } of points) {
      const value = getValue(record);
      const year = hasYear && isFull ? period.yearStartDay : undefined;
      text += `<Obs TIME_PERIOD="${period.text}"${value === null ? '' : ` OBS_VALUE="${value}"`}${
        isFull ? ` OBS_STATUS="${status}"` : ''
      }${year === undefined ? '' : ` REPORTING_YEAR_START_DAY="${year}"`}/>\n`;
    }
    return `${text}</Series>\n`;
  };
}

/** An element for each observation, with all of its dimensions or in a series without one of them. */
function createObservationWriter(dimension: string, isFull: boolean): WritePoints {
  return (key, attributes, { measure: { getValue }, points }) => {
    const { [dimension]: own, ...others } = key;
    let text = '';
    for (const { period, status, record } of points) {
      const observation = {
        OBS_VALUE: getValue(record) ?? undefined,
        ...(isFull && {
          OBS_STATUS: status,
          ...attributes,
          REPORTING_YEAR_START_DAY: period.yearStartDay,
        }),
      };
      text +=
        own === undefined
          ? `<Obs${formatAttributes({ ...key, TIME_PERIOD: period.text, ...observation })}/>\n`
          : `<Series${formatAttributes({ ...others, TIME_PERIOD: period.text })}><Obs${formatAttributes({ [dimension]: own, ...observation })}/></Series>\n`;
    }
    return text;
  };
}

/** Whether the first day of the year is an attribute of series. */
export function hasYearOfSeries({ attributes }: Pick<Flow, 'attributes'>): boolean {
  return attributes.some(
    ({ id, isOfObservation }) => id === 'REPORTING_YEAR_START_DAY' && !isOfObservation,
  );
}

/** The dimensions of a series, in their order. */
export function getKey(
  { dimensions }: Pick<Flow, 'dimensions'>,
  codes: readonly string[],
  { id }: Measure,
): Readonly<Record<string, string>> {
  const [frequency] = dimensions;
  const values = [frequency?.codeList && [...frequency.ids.values()][0], ...codes, id];
  return Object.fromEntries(dimensions.map((each, index) => [each.id, values[index] ?? '']));
}

/** Of all observations of a measure. */
export function getSeriesAttributes(
  { unit, multiplier, decimals }: Measure,
  yearStartDay?: string,
): XmlAttributes {
  return {
    UNIT_MEASURE: unit,
    UNIT_MULT: multiplier,
    DECIMALS: decimals,
    REPORTING_YEAR_START_DAY: yearStartDay,
  };
}

function formatStart(
  { agency, id }: Flow,
  dimensionAtObservation: string,
  header: MessageHeader,
): string {
  const namespace = `${formatUrn({ kind: 'datastructure', agency, id })}:ObsLevelDim:${dimensionAtObservation}`;
  const structure = `<mes:Structure${formatAttributes({
    structureID: id,
    namespace,
    dimensionAtObservation,
  })}><com:Structure><Ref${formatAttributes({
    agencyID: agency,
    id,
    version: VERSION,
    class: 'DataStructure',
  })}/></com:Structure></mes:Structure>`;
  const namespaces = formatAttributes({
    'xmlns:mes': `${SCHEMAS}/message`,
    'xmlns:ss': `${SCHEMAS}/data/structurespecific`,
    'xmlns:com': `${SCHEMAS}/common`,
    'xmlns:ns1': namespace,
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  });
  const dataSet = formatAttributes({
    'ss:structureRef': id,
    'xsi:type': 'ns1:DataSetType',
    'ss:dataScope': 'DataStructure',
    action: 'Information',
  });
  return `${XML_DECLARATION}<mes:StructureSpecificData${namespaces}>${formatXmlHeader(header, structure)}<mes:DataSet${dataSet}>\n`;
}
