import type { Dataset } from '../catalogue/model/dataset.ts';
import type { DataOrigin, StoreReader } from '../store/open-store.ts';

/** A licence as data packages write it: with an identifier or a URL, or both. */
export interface Licence {
  readonly name?: string;
  readonly path?: string;
  readonly title?: string;
}

/** Data that is loaded daily comes from ever more files; the newest ones are representative. */
export const MAX_ORIGINS = 100;

/** That of the declaration; otherwise those of loads, or none if a part of the data came without one. */
export function listLicences(
  { name, declaration }: Dataset,
  origins: readonly DataOrigin[],
): readonly Licence[] {
  if (declaration?.licence !== undefined) return [parseLicence(name, declaration.licence)];
  const licences = removeReplaced(origins).map(toLicence);
  if (!licences.every((licence) => licence !== undefined)) return [];
  return [...new Map(licences.map((licence) => [JSON.stringify(licence), licence])).values()];
}

/** The terms of use of a dataset as of a revision, as text; null if they are not known. */
export async function readLicence(
  reader: Pick<StoreReader, 'origins'>,
  dataset: Dataset,
  revision: number,
): Promise<string | null> {
  if (dataset.declaration?.licence !== undefined) return dataset.declaration.licence;
  const origins = await reader.origins(dataset.name, revision, MAX_ORIGINS);
  return (
    listLicences(dataset, origins)
      .map(({ name, path }) => name ?? path)
      .join(', ') || null
  );
}

/** A load that replaced the dataset left nothing of earlier loads. */
export function removeReplaced(origins: readonly DataOrigin[]): readonly DataOrigin[] {
  const replacing = origins.findIndex(({ options }) => options.options?.replace === true);
  return replacing < 0 ? origins : origins.slice(0, replacing + 1);
}

/** Declarations may have terms in words, which get an identifier of their own, as SPDX has it, if they have no URL. */
function parseLicence(dataset: string, text: string): Licence {
  if (/^[-a-zA-Z0-9._]+$/.test(text)) return { name: text };
  const [path] = /https?:\/\/[^\s"'<>()]*[^\s"'<>().,;:!?]/.exec(text) ?? [];
  if (path === text) return { path };
  return { ...(path === undefined ? { name: `LicenseRef-${dataset}` } : { path }), title: text };
}

/** The sample is part of this project, and has its licence. */
const SAMPLE_LICENCE: Licence = {
  name: 'MIT',
  path: 'https://opensource.org/license/mit',
  title: 'MIT License',
};

function toLicence({ sample, options }: DataOrigin): Licence | undefined {
  if (sample) return SAMPLE_LICENCE;
  const licence = options.options?.licence;
  if (typeof licence !== 'string') return undefined;
  return licence.includes('/') ? { path: licence } : { name: licence };
}
