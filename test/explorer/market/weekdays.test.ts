import { describe, expect, test } from 'bun:test';
import { fromWeekdayIndex, toWeekdayIndex } from '../../../src/explorer/market/key-rates.ts';

describe('weekday indexes', () => {
  test('skip weekends', () => {
    expect(toWeekdayIndex('2026-06-29') - toWeekdayIndex('2026-06-26')).toBe(1);
    expect(toWeekdayIndex('2026-06-28')).toBe(toWeekdayIndex('2026-06-26'));
    expect(toWeekdayIndex('1969-12-29')).toBe(0);
  });

  test('convert back to days', () => {
    for (const day of ['2026-06-29', '2026-06-26', '1969-12-26', '2000-02-29', '2024-12-31']) {
      expect(fromWeekdayIndex(toWeekdayIndex(day))).toBe(day);
    }
    expect(fromWeekdayIndex(toWeekdayIndex('2026-06-27'))).toBe('2026-06-26');
  });
});
