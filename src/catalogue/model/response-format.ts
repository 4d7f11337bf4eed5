import { FORMATS, type Format, type FormatWith, listFormats } from '../../shared/formats.ts';

export type ResponseFormat = Pick<
  Format,
  'mediaType' | 'contentType' | 'extension' | 'description'
>;
export type FlatFormat = FormatWith<{ responseRank: number }, { isFlat: true }>;
export type ResponseFormatName = FormatWith<{ responseRank: number }>;

const getRank = (name: ResponseFormatName) => FORMATS[name].uses.responseRank;

/** Every format of responses, most preferred first. */
export const RESPONSE_FORMATS = Object.fromEntries(
  listFormats<ResponseFormatName>(({ uses }) => uses.responseRank !== null)
    .toSorted((a, b) => getRank(a) - getRank(b))
    .map((name) => [name, FORMATS[name]]),
) as Readonly<Record<ResponseFormatName, Format>>;
