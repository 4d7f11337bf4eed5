import type { Manifest } from '../../../../src/client/mirror/mirror-files.ts';
/** The last revision of a mirror that was published by an instant. */
export declare function findRevisionAt(instant: string, newest: Manifest, readManifest: (revision: number) => Promise<Manifest>): Promise<Manifest>;
