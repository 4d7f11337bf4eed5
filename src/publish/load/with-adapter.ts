import type { NamedFile } from '../../formats/read-contents.ts';
import { AdapterError, RunningAdapter } from '../adapter/run-adapter.ts';
import { type FileFingerprint, fingerprintFile } from './fingerprint-file.ts';
import type { ReadFilesOptions } from './read-files.ts';

/** The options of a load with a running adapter, and what identifies the adapter's content. */
export type WithRunningAdapter<Options> = Omit<Options, 'adapter'> & {
  readonly adapter?: RunningAdapter | undefined;
  readonly adapterFile?: FileFingerprint | undefined;
};

/** Starts the adapter, if there is one; its options hold where the call gives none. */
export async function withAdapter<
  T,
  Options extends Omit<ReadFilesOptions, 'adapter'> & { readonly adapter?: NamedFile | undefined },
>(
  { adapter: file, ...options }: Options,
  callback: (options: WithRunningAdapter<Options>) => Promise<T>,
): Promise<T> {
  if (!file) return callback(options);
  // Before it runs, so that a change of the file cannot go unnoticed.
  const adapterFile = await fingerprintFile(file);
  const adapter = await RunningAdapter.start(file, () => options.onRead?.(0));
  try {
    const { dataset } = adapter.options;
    if (dataset !== undefined && dataset !== options.dataset.name)
      throw new AdapterError(`${file.name} is for ${dataset}, not for ${options.dataset.name}`);
    const mapping = { ...adapter.options, ...options.mapping };
    return await callback({ ...options, mapping, adapter, adapterFile });
  } finally {
    adapter.close();
  }
}
