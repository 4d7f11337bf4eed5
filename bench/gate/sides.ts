/** This tree and the release it is compared with; each has a database of its own making. */
export interface Sides {
  readonly current: GateSide;
  readonly release: GateSide;
}

export interface GateSide {
  readonly name: 'current' | 'release';
  readonly root: string;
}

/** Measurements by label, in the order of the gate: later ones read what earlier ones loaded. */
export type Measurements = Readonly<Record<string, () => Promise<GateComparison>>>;

/** Speeds or inverse costs of this tree and of the release, and this one's share of the other's. */
export interface GateComparison {
  readonly current: string;
  readonly release: string;
  /** Above 1 if this tree is better. */
  readonly ratio: number;
}
