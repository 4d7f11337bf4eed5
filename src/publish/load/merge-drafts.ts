import { completeRecord } from '../../catalogue/model/create-dataset.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { KeyedValue } from '../../catalogue/model/field.ts';
import { chooseStatus, NORMAL_STATUS } from '../../catalogue/model/observation-status.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import { getKeyValues, getStorageTable } from '../../schema/storage-table.ts';
import { formatKey, type PublishTransaction, type RecordKey } from '../../store/open-store.ts';
import { splitSealedText } from '../../store/sealed-text.ts';
import type { DraftRecord } from '../records/draft-record.ts';

type Change = NonNullable<DraftRecord['change']>;

/**
 * Completes drafts that change parts of records with what these have, as the transaction sees them. Those that
 * leave no figure become keys to retire; those that change nothing are left out.
 */
export async function mergeDrafts(
  transaction: Pick<PublishTransaction, 'currentRecords'>,
  dataset: Dataset,
  drafts: readonly DraftRecord[],
  /** Whether nothing of the current records is kept. */
  replace: boolean,
): Promise<{ readonly merged: readonly DraftRecord[]; readonly retired: readonly RecordKey[] }> {
  if (!drafts.some(({ change }) => change)) return { merged: drafts, retired: [] };
  const table = getStorageTable(dataset);
  const keyFields = getKeyFields(dataset);
  const findKey = ({ record }: DraftRecord) =>
    keyFields.every((name) => dataset.fields[name]?.isValid(record[name]))
      ? getKeyValues(table, record)
      : undefined;
  const keys = drafts.flatMap((draft) =>
    draft.change?.isMerge && !replace && !isComplete(dataset, draft) ? [findKey(draft) ?? []] : [],
  );
  const current = await transaction.currentRecords(
    dataset,
    keys.filter(({ length }) => length > 0),
  );
  const merged: DraftRecord[] = [];
  const retired: RecordKey[] = [];
  for (const draft of drafts) {
    const key = draft.change && findKey(draft);
    const result = key ? mergeDraft(dataset, draft, current.get(formatKey(key))) : draft;
    if (result === 'retired') retired.push(key as RecordKey);
    else if (result !== 'nothing') merged.push(result);
  }
  return { merged, retired };
}

function mergeDraft(
  dataset: Dataset,
  draft: DraftRecord,
  text: string | undefined,
): DraftRecord | 'retired' | 'nothing' {
  const { record, problems } = draft;
  const { isDeletion, blanked } = draft.change as Change;
  const hasFigures = getMeasures(dataset).some((name) => Object.hasOwn(record, name));
  const isNamed = hasFigures || blanked.size > 0 || listFigures(dataset, record).length > 0;
  const { json, status = NORMAL_STATUS } = text === undefined ? {} : splitSealedText(text);
  const current = json === undefined ? undefined : completeRecord(dataset, JSON.parse(json));
  setFigures(dataset, draft, current);
  if (problems.length > 0) return draft;
  const figures = listFigures(dataset, record);
  if (isDeletion && figures.length === 0) return 'retired';
  if (!current && !isNamed) return 'nothing';
  // The status of a dataset that declares one is a field as well.
  return withStatus(draft, figures, current && String(current.status ?? status));
}

const getMeasures = ({ declaration }: Dataset) =>
  declaration?.measures.map(({ field }) => field) ?? [];

/** Whether a draft says all of its record. */
function isComplete(dataset: Dataset, { record, change }: DraftRecord): boolean {
  if (dataset.declaration?.keyedList) return false;
  return getMeasures(dataset).every(
    (name) => Object.hasOwn(record, name) && change?.statuses.has(name),
  );
}

/** Sets figures that are not named to those of the current record, and others that it is not to have to null. */
function setFigures(
  dataset: Dataset,
  { record, change }: DraftRecord,
  current: AnyRecord | undefined,
): void {
  for (const name of getMeasures(dataset)) {
    if (change?.blanked.has(name)) record[name] = null;
    else if (current && !Object.hasOwn(record, name)) record[name] = current[name];
  }
  const list = dataset.declaration?.keyedList?.field;
  if (list === undefined || !current) return;
  const items = (current[list] as readonly KeyedValue[]).filter(
    ({ key }) => !change?.blanked.has(`${list}.${key}`),
  );
  const values = new Map(items.map((item) => [item.key, item]));
  for (const item of record[list] as readonly KeyedValue[]) values.set(item.key, item);
  record[list] = [...values.values()];
}

/** The names of the figures that a record has. */
function listFigures(dataset: Dataset, record: AnyRecord): string[] {
  const list = dataset.declaration?.keyedList?.field;
  const items = list === undefined ? [] : (record[list] as readonly KeyedValue[]);
  const measures = getMeasures(dataset).filter((name) => typeof record[name] === 'number');
  return [...measures, ...items.map(({ key }) => `${list}.${key}`)];
}

/** The draft with the weakest status of its figures: those that it names none for keep the current one. */
function withStatus(
  draft: DraftRecord,
  figures: readonly string[],
  current: string | undefined,
): DraftRecord {
  const statuses = draft.change?.statuses ?? new Map<string, string>();
  const keepsOthers = statuses.size === 0 || figures.some((name) => !statuses.has(name));
  const all = new Set([...statuses.values(), ...(keepsOthers ? [current ?? NORMAL_STATUS] : [])]);
  const status = chooseStatus([...all, draft.status]);
  if (all.size < 2) return { ...draft, status };
  const text = `figures of one record have the statuses ${[...all].sort().join(', ')}: it gets ${status ?? NORMAL_STATUS}`;
  const { position, warnings = [] } = draft;
  const warning = {
    rule: 'statuses-differ',
    field: 'status',
    value: status,
    text,
    position,
  } as const;
  return { ...draft, status, warnings: [...warnings, warning] };
}
