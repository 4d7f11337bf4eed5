import { join } from 'node:path';
import { FOLDER } from '../million-quotes.ts';
import type { GateSide } from './sides.ts';

/** The database of 1,000,000 quotes that a side has loaded. */
export const getDatabasePath = ({ name }: GateSide) => join(FOLDER, `gate-${name}.db`);
export const getDatabaseUrl = (side: GateSide) => `sqlite:${getDatabasePath(side)}`;

/** A database that a side fills with its sample data when it is first started. */
export const getSamplePath = ({ name }: GateSide) => join(FOLDER, `gate-${name}-sample.db`);
export const getSampleUrl = (side: GateSide) => `sqlite:${getSamplePath(side)}`;
