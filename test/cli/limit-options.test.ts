import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { type CommandCall, parseCommandLine } from '../../src/cli/command.ts';
import { loadCommand } from '../../src/cli/commands/load.ts';
import { parseLimitOptions } from '../../src/cli/rule-options.ts';

function parse(args: readonly string[], dataset: Dataset = quotes) {
  const call = parseCommandLine(loadCommand, [dataset.name, 'a.csv', ...args]);
  return parseLimitOptions(call as CommandCall, dataset);
}

test('each limit of a load is lifted by its own option', () => {
  const none = {
    allowsEmpty: false,
    allowsFuture: false,
    canRelabel: false,
    canRetireMany: false,
    canCorrectMany: false,
    isPartial: false,
  };
  expect(parse([])).toEqual(none);
  expect(parse(['--future', 'allow'])).toEqual({ ...none, allowsFuture: true });
  expect(parse(['--replace', '--retire-many'])).toEqual({ ...none, canRetireMany: true });
  expect(parse(['--correct-many'])).toEqual({ ...none, canCorrectMany: true });
  expect(parse(['--relabel'], online)).toEqual({ ...none, canRelabel: true });
});

test('an option that lifts a limit is rejected if there is none', () => {
  expect(() => parse(['--future', 'yes'])).toThrow('--future must be allow');
  expect(() => parse(['--relabel'])).toThrow(
    '--relabel has no effect on quotes: relabels-years does not apply',
  );
  expect(() => parse(['--retire-many'])).toThrow('--retire-many has no effect without --replace');
  expect(() => parse(['--future', 'allow'], securities)).toThrow(
    '--future has no effect on securities: future-date does not apply',
  );
  expect(() => parse(['--correct-many'], securities)).toThrow(
    '--correct-many has no effect on securities: corrects-many does not apply',
  );
});
