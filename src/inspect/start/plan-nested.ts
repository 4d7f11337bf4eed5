import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { FileProfile } from '../inspect-file.ts';
import type { JsonShape, JsonStep } from '../json-shape.ts';
import type { ColumnProfile } from '../profile-column.ts';
import { findPeriodOfKeys, type PeriodOfKeys } from './period-of-keys.ts';
import { getTargets } from './plan-context.ts';
import { type JsonPlan, profileMembers } from './plan-json.ts';
import { compareWords, splitWords } from './words.ts';

/** A text that may tell the figures of one period apart. */
export interface Label {
  /** The `*` of the path that it stands at. */
  readonly level: number;
  /** The member that holds it; undefined where it is the name of the object. */
  readonly member?: string;
  /** The text of each object of the shape. */
  readonly texts: readonly string[];
}

/** Objects below a period of JSON, each with one figure of the record of that period. */
export interface NestedPlan {
  readonly dataset: Dataset;
  readonly file: FileProfile;
  readonly shape: JsonShape;
  readonly period: PeriodOfKeys;
  readonly label: Label;
  /** A second text that tells figures of one label apart, and the one to take. */
  readonly choice?: { readonly label: Label; readonly text: string };
  /** The member that is the figure. */
  readonly figure: ColumnProfile;
  readonly otherFigures: readonly string[];
}

const MAX_LEVELS = 3;

/** Undefined where the objects of the plan hold fields themselves, or are not below a period. */
export function planNested({ dataset, file, shape, fields }: JsonPlan): NestedPlan | undefined {
  const period = dataset.period && findPeriodOfKeys(shape, dataset.period.kind);
  if (!period) return undefined;
  const hasList = getTargets(dataset).lists.size > 0;
  const isFound = fields.some(
    ({ field, origin }) => field !== dataset.period?.field && origin.kind !== 'missing',
  );
  const depth = shape.keys.length - period.last - 1;
  if (depth < 1 || depth > MAX_LEVELS || (isFound && !hasList)) return undefined;
  const labels = findLabels(shape, period.last + 1);
  const [label, ...others] = labels.toSorted((a, b) => score(b, dataset) - score(a, dataset));
  const [figure, ...otherFigures] = findFigures(shape, dataset);
  if (!label || !figure) return undefined;
  const choice = findChoice(label, others);
  return {
    dataset,
    file,
    shape,
    period,
    label,
    ...(choice && { choice }),
    figure,
    otherFigures: otherFigures.map(({ name }) => name),
  };
}

function findLabels({ steps, keys }: JsonShape, first: number): Label[] {
  const levels = [...keys.keys()].slice(first);
  const labels = levels.flatMap((level): Label[] => {
    const at = steps.flatMap((step) => step[level] ?? []);
    const members = new Set(at.flatMap(findTextMembers));
    const names = at.map(({ key }) => key);
    const isName = names.some((name) => !/^\d+$/.test(name));
    return [
      ...(isName ? [{ level, texts: names }] : []),
      ...[...members].map((member) => ({
        level,
        member,
        texts: at.map(({ value }) => String((value as Record<string, unknown>)[member] ?? '')),
      })),
    ];
  });
  return labels.filter(({ texts }) => new Set(texts).size > 1);
}

const findTextMembers = ({ value }: JsonStep) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [name] : []))
    : [];

/** Names of fields, or else as many different texts as there are, outer ones first. */
function score({ texts, level, member = '' }: Label, dataset: Dataset): number {
  const { fields, lists } = getTargets(dataset);
  const words = [...lists.keys()].map(splitWords);
  const likeness = Math.max(0, ...words.map((list) => compareWords(splitWords(member), list)));
  const names = [...fields].map(([name, { field }]) => splitWords(`${name} ${field.description}`));
  const distinct = [...new Set(texts)].slice(0, 100);
  const matches = distinct.filter((text) =>
    names.some((name) => compareWords(splitWords(text), name) >= 0.5),
  );
  return likeness * 10_000 + matches.length * 100 + distinct.length - level / 10;
}

const FIGURE_WORDS: readonly (readonly [dataset: RegExp, member: RegExp])[] = [
  [/volume|accounts|agents/, /count|volume|number|quantity|transactions/i],
  [/value/, /amount|value|sum/i],
];

/** The figures of the objects, those that the dataset is about first. */
function findFigures(shape: JsonShape, { name }: Dataset): ColumnProfile[] {
  const figures = profileMembers(shape).filter(({ kind }) => kind === 'number' || kind === 'year');
  const patterns = FIGURE_WORDS.filter(([dataset]) => dataset.test(name));
  const fits = (figure: ColumnProfile) => patterns.some(([, member]) => member.test(figure.name));
  return figures.toSorted((a, b) => Number(fits(b)) - Number(fits(a)));
}

/** The sum of several figures with one label, or the first of them. */
function findChoice(label: Label, others: readonly Label[]): NestedPlan['choice'] {
  const count = new Set(label.texts).size;
  const other = others.find(
    ({ texts }) =>
      new Set(texts.map((text, index) => `${label.texts[index]}\t${text}`)).size > count,
  );
  if (!other) return undefined;
  const text = other.texts.find((text) => /^(?:grand )?(?:total|all)$/i.test(text));
  return { label: other, text: text ?? other.texts[0] ?? '' };
}
