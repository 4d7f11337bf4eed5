/** A point of the chart. */
export interface ChartPoint {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly colorIndex: number;
  /** Whether it stands for comparison only. */
  readonly isComparison?: boolean;
}

/** A line through the points. */
export interface ChartCurve {
  readonly name: string;
  readonly colorIndex: number;
  readonly isComparison?: boolean;
  readonly points: readonly (readonly [x: number, y: number])[];
}
