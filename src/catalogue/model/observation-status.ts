/** Statuses of observations, by the SDMX code list CL_OBS_STATUS. */
export const OBSERVATION_STATUSES = {
  A: 'normal value',
  B: 'time series break',
  D: 'definition differs',
  E: 'estimated value',
  F: 'forecast value',
  G: 'experimental value',
  H: 'missing value: holiday or weekend',
  I: 'imputed value',
  J: 'derogation',
  K: 'data included in another category',
  L: 'missing value: data exist but were not collected',
  M: 'missing value: data cannot exist',
  N: 'not significant',
  O: 'missing value',
  P: 'provisional value',
  Q: 'missing value: suppressed',
  S: 'strike and other special events',
  U: 'low reliability',
  V: 'unvalidated value',
  W: 'includes data from another category',
} as const;

export type ObservationStatus = keyof typeof OBSERVATION_STATUSES;

/** The status of a record that has no mark. */
export const NORMAL_STATUS: ObservationStatus = 'A';

const LEAST_FINAL_FIRST = [...'FEIPVGUNBDSJKWHLMOQ'] as readonly ObservationStatus[];

/** The status of a record with several marks: the least final one; undefined if it is normal. */
export function chooseStatus(statuses: readonly (string | undefined)[]) {
  return LEAST_FINAL_FIRST.find((status) => statuses.includes(status));
}
