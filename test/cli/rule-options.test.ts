import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { onlineBankingAnnualVolume } from '../../src/catalogue/datasets/series/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { type CommandCall, parseCommandLine } from '../../src/cli/command.ts';
import { loadCommand } from '../../src/cli/commands/load.ts';
import { parseAdapterRunOptions } from '../../src/cli/mapping-options.ts';
import { parseRuleOptions } from '../../src/cli/rule-options.ts';
import type { Mapping } from '../../src/publish/mapping/mapping.ts';

function parse(args: readonly string[], mapping: Mapping = {}, dataset: Dataset = quotes) {
  const call = parseCommandLine(loadCommand, ['quotes', 'a.csv', '--mapping', 'm.json', ...args]);
  return parseRuleOptions(call as CommandCall, mapping, dataset);
}

test('rules are muted and refused by the mapping and by options, and options override the mapping', () => {
  const mapping = { mute: ['isin-check-digit', 'price-jump'], refuse: ['ytm-off-price'] };
  const args = ['--mute', 'ytm-off-price', '--refuse', 'price-jump', '--refuse', 'bid-above-ask'];
  expect(parse(args, mapping)).toEqual({
    mute: ['isin-check-digit', 'ytm-off-price'],
    refuse: ['price-jump', 'bid-above-ask'],
  });
});

test('--adapter-env takes no name that only the object of the environment has', () => {
  const args = ['quotes', 'a.csv', '--adapter', 'a.ts', '--adapter-env', 'constructor'];
  const call = parseCommandLine(loadCommand, args) as CommandCall;
  expect(() => parseAdapterRunOptions(call)).toThrow('the environment has no such variable');
});

test('a name that is no rule is rejected with the one that was meant', () => {
  const unknown =
    'is not a warning rule (did you mean isin-check-digit?); docs/reference/warnings.md';
  expect(() => parse(['--mute', 'isin-chek-digit'])).toThrow(
    `--mute: "isin-chek-digit" ${unknown}`,
  );
  expect(() => parse([], { refuse: ['isin-check-digits'] })).toThrow(
    `m.json: "refuse": "isin-check-digits" ${unknown}`,
  );
});

test('a rule that never warns of the dataset is rejected with those that do', () => {
  expect(() => parse(['--mute', 'isin-check-digit'], {}, onlineBankingAnnualVolume)).toThrow(
    '--mute: isin-check-digit has no effect, because it never warns about online-banking-annual-volume; the rules that do are negative-figure, scale-jump, columns-swapped, figures-repeated, all-zero, unusual-change, figures-reverted, period-overwritten, unknown-mark, parts-off-total, period-gap',
  );
});

test('a rule that is both muted and refused is rejected', () => {
  expect(() => parse(['--mute', 'price-jump', '--refuse', 'price-jump'])).toThrow(
    '--mute and --refuse both name price-jump; a rule is muted or refused',
  );
});
