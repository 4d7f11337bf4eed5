import type { paymentsMarketPlayers } from '../../catalogue/datasets/series/index.ts';
import type { DatasetRecord } from '../../catalogue/model/dataset.ts';

/** Licences by year; the total is what the kinds add up to. */
export function generateLicensedPlayers(): DatasetRecord<typeof paymentsMarketPlayers>[] {
  return LICENCES.map(([year, banks, mfbs, digitalbanks, pso_psp, emis]) => {
    const total = banks + mfbs + digitalbanks + pso_psp + emis;
    return { year, total, banks, mfbs, digitalbanks, pso_psp, emis };
  });
}

type LicenceRow = readonly [
  year: string,
  banks: number,
  mfbs: number,
  digitalbanks: number,
  pso_psp: number,
  emis: number,
];

const LICENCES: readonly LicenceRow[] = [
  ['2016', 35, 10, 0, 2, 0],
  ['2017', 35, 11, 0, 3, 0],
  ['2018', 34, 11, 0, 4, 0],
  ['2019', 34, 11, 0, 4, 1],
  ['2020', 34, 11, 0, 5, 2],
  ['2021', 33, 12, 0, 6, 3],
  ['2022', 33, 12, 0, 7, 4],
  ['2023', 32, 12, 1, 8, 5],
  ['2024', 32, 12, 2, 9, 6],
  ['2025', 31, 12, 4, 9, 6],
];
