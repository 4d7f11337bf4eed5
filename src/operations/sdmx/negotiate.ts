import { HttpError } from '../../http/http-error.ts';
import { parseWeightedList, type WeightedElement } from '../../http/request/request-headers.ts';
import type { OfferedFormat } from './offers.ts';

/** A format, and the media type by which it is sent. */
export interface ChosenFormat<Name extends string> {
  readonly name: Name;
  readonly contentType: string;
}

export function chooseFormat<Name extends string>(
  offers: readonly OfferedFormat<Name>[],
  name: Name,
) {
  const offer = offers.find((each) => each.name === name) as OfferedFormat<Name>;
  return { name, contentType: formatType(offer) };
}

/** The format that `Accept` prefers, the first one without it; an error if it takes none. */
export function negotiateMessage<Name extends string>(
  accept: string | null,
  offers: readonly OfferedFormat<Name>[],
): ChosenFormat<Name> | HttpError {
  const ranges = parseWeightedList(accept || '*/*');
  const candidates = offers.flatMap((offer) => {
    const match = findMatch(ranges, offer);
    return match && match.range.quality > 0 ? [{ offer, ...match }] : [];
  });
  candidates.sort(
    (a, b) =>
      b.range.quality - a.range.quality ||
      b.precision - a.precision ||
      a.range.position - b.range.position,
  );
  const [best] = candidates;
  if (!best) return new HttpError('not_offered', { allowed: offers.map(formatType).join(', ') });
  const { offer, range } = best;
  const isPlain = offer.plainTypes.includes(range.name);
  const contentType = isPlain ? `${range.name}; charset=utf-8` : formatType(offer);
  return { name: offer.name, contentType };
}

function formatType({ mediaType, version }: OfferedFormat<string>): string {
  return `${mediaType};version=${version}`;
}

/** The most precise range that an offer matches. */
function findMatch(
  ranges: readonly WeightedElement[],
  { mediaType, version, plainTypes }: OfferedFormat<string>,
) {
  const types = [mediaType, ...plainTypes];
  const groups = types.map((type) => `${type.split('/')[0]}/*`);
  for (const [vagueness, names] of [types, groups, ['*/*']].entries()) {
    const range = ranges.find(
      ({ name, parameters }) =>
        names.includes(name) && (name !== mediaType || hasVersion(parameters, version)),
    );
    if (range) return { range, precision: -vagueness };
  }
  return undefined;
}

/** Whether a range names the version, with or without zeros at its end, or none. */
function hasVersion(parameters: readonly string[], version: string): boolean {
  const named = parameters.find((parameter) => parameter.startsWith('version='));
  if (named === undefined) return true;
  const trim = (text: string) => text.replace(/(?<!\.0)(\.0)+$/, '');
  return trim(named.slice('version='.length).replaceAll('"', '')) === trim(version);
}
