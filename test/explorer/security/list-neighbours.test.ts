import { expect, test } from 'bun:test';
import { listNeighbours } from '../../../src/explorer/security/list-neighbours.ts';
import { quote } from '../../support/quote-fixture.ts';

const create = (symbol: string, maturityYears: number, type = 'bond', ytm = 10) =>
  quote({ symbol, maturityYears, type: type as 'bond', ytm });
const QUOTES = [
  ...[create('E', 5), create('A', 1), create('C', 3), create('B', 2, 'tbill'), create('D', 4)],
  ...[create('CORP', 3, 'corporate'), create('NONE', 3, 'bond', 0), create('F', 6)],
];
const names = (symbol: string) => listNeighbours(QUOTES, symbol).map((each) => each.symbol);

test('neighbours are the three of the same market that mature next before and after', () => {
  expect(names('E')).toEqual(['B', 'C', 'D', 'E', 'F']);
  expect(names('A')).toEqual(['A', 'B', 'C', 'D']);
  expect(names('CORP')).toEqual(['CORP']);
});

test('what has no yield is no neighbour, but has some', () => {
  expect(names('NONE')).toEqual(['A', 'B', 'C', 'NONE', 'D', 'E', 'F']);
  expect(names('unknown')).toEqual([]);
});
