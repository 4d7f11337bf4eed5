import manifest from '../package.json' with { type: 'json' };

export const VERSION = manifest.version;

/** The commit that the executable was built from; undefined if Tenor runs from source. */
export const COMMIT = typeof TENOR_COMMIT === 'undefined' ? undefined : TENOR_COMMIT;

/** Defined by `scripts/build.ts`. */
declare const TENOR_COMMIT: string | undefined;
