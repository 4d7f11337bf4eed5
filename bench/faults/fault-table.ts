import { replaceMarked } from '../result-page.ts';
import type { KindResult } from './run-kind.ts';

const HEAD = `| faults | seed | steps | faults injected | requests checked | calm | violations | seconds |
|---|---|---|---|---|---|---|---|
`;
const LEFT_OUT = 'left out:';

/** Puts the results of kinds of faults, or why they were left out, in place of their earlier ones. */
export function replaceFaultRows(
  page: string,
  outcomes: ReadonlyMap<string, readonly KindResult[] | string>,
  allNames: readonly string[],
): string {
  return replaceMarked(page, 'faults', (earlier) => {
    const rows = allNames.flatMap((name) => {
      const outcome = outcomes.get(name);
      const kept = earlier.split('\n').filter((line) => line.startsWith(`| ${name} |`));
      const isMeasured = kept.some((line) => !line.includes(LEFT_OUT));
      if (outcome === undefined || (typeof outcome === 'string' && isMeasured)) return kept;
      return typeof outcome === 'string'
        ? [`| ${name} | | | | ${LEFT_OUT} ${outcome} | | | |`]
        : outcome.map((result) => formatRow(name, result));
    });
    return `${HEAD}${rows.map((row) => `${row}\n`).join('')}`;
  });
}

function formatRow(name: string, result: KindResult): string {
  const { seed, steps, faults, requests, calmPercent, violations, seconds } = result;
  const calm = `${calmPercent} %`;
  const cells = [
    name,
    seed,
    steps,
    faults,
    requests.toLocaleString('en'),
    calm,
    violations,
    seconds,
  ];
  return `| ${cells.join(' | ')} |`;
}
