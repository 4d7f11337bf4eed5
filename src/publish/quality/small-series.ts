import type { AnyRecord } from '../../catalogue/model/dataset.ts';
import type { PeriodWarning } from './period-warnings.ts';
import type { SeriesPair } from './series-record.ts';
import type { ComparedMeasure } from './unusual-changes.ts';
import { WARNING_THRESHOLDS } from './warning-rules.ts';

/** A figure far from the one before it, and by how much its series moved before. */
export interface Jump extends SeriesPair {
  readonly warning: PeriodWarning;
  readonly usual: number | undefined;
}

/** Tells jumps of series that hardly matter in the sum of all: those come, go and grow by factors. */
export function createSmallFilter(
  measures: readonly ComparedMeasure[],
  pairs: readonly SeriesPair[],
): (jump: Jump) => boolean {
  const sums = new Map(measures.map(({ name }) => [name, { previous: 0, current: 0 }]));
  for (const pair of pairs)
    for (const [name, sum] of sums) {
      sum.previous += getSize(pair.previous.record, name);
      sum.current += getSize(pair.current.record, name);
    }
  const getShare = (name: string, { previous, current }: SeriesPair) => {
    const sum = sums.get(name) ?? { previous: 0, current: 0 };
    return Math.max(
      getSize(previous.record, name) / (sum.previous || 1),
      getSize(current.record, name) / (sum.current || 1),
    );
  };
  const { smallShare, smallPart, tinyShare, tinyPart, unusualFactor } = WARNING_THRESHOLDS;
  return (jump) => {
    const { field } = jump.warning.warning;
    const own = measures.filter(({ name }) => name === field);
    const compared = own.length > 0 ? own : measures;
    if (compared.some(({ isAdditive }) => !isAdditive)) return false;
    const share = Math.max(...compared.map(({ name }) => getShare(name, jump)));
    const isRestless = jump.usual === undefined || jump.usual > Math.log(unusualFactor);
    const isBelow = (limit: number, part: number) => share < Math.min(limit, part / pairs.length);
    return isBelow(tinyShare, tinyPart) || (isRestless && isBelow(smallShare, smallPart));
  };
}

const getSize = (record: AnyRecord, name: string) => Math.abs(Number(record[name] ?? 0));
