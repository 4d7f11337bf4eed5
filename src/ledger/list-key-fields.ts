/** The fields that identify a record. One of a series is identified by its texts: its period and its dimensions. */
export function listKeyFields(
  dataset: string,
  record: Readonly<Record<string, unknown>>,
): readonly string[] {
  const fields = KEY_FIELDS.get(dataset);
  if (fields) return fields;
  return Object.keys(record).filter(
    (field) => typeof record[field] === 'string' && field !== 'status',
  );
}

export const KEY_FIELDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    quotes: ['date', 'symbol'],
    securities: ['symbol'],
    funds: ['fund_id'],
    holidays: ['calendar', 'date'],
    'coupon-rates': ['symbol', 'from'],
    datasets: ['name'],
  }),
);
