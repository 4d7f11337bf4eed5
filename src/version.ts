import manifest from '../package.json' with { type: 'json' };

/** The version of Tenor that is running. */
export const VERSION = manifest.version;
