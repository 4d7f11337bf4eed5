export interface ChartPoint {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly colorIndex: number;
  /** Whether it belongs to the day compared with. */
  readonly isComparison?: boolean;
}

/** A fitted curve. */
export interface ChartCurve {
  readonly name: string;
  readonly colorIndex: number;
  readonly isComparison?: boolean;
  readonly points: readonly (readonly [x: number, y: number])[];
}
