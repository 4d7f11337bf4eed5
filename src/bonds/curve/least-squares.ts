/** The sum of columns that comes closest to a target, by weighted least squares. */
export interface LeastSquaresFit {
  readonly coefficients: Float64Array;
  readonly deviations: Float64Array;
}

/** Undefined if the columns do not determine the coefficients. */
export function fitLeastSquares(
  columns: readonly Float64Array[],
  target: Float64Array,
  weights: Float64Array,
): LeastSquaresFit | undefined {
  const products = multiplyColumns([...columns, target], weights);
  const coefficients = solveSystem(products, getLastRow(products), columns.length);
  if (!coefficients) return undefined;
  const deviations = new Float64Array(target.length);
  for (let row = 0; row < target.length; row += 1) deviations[row] = -(target[row] as number);
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index] as Float64Array;
    const coefficient = coefficients[index] as number;
    for (let row = 0; row < column.length; row += 1)
      add(deviations, row, coefficient * (column[row] as number));
  }
  return { coefficients, deviations };
}

/** A symmetric matrix, by rows. */
export interface SymmetricMatrix {
  readonly size: number;
  readonly values: Float64Array;
}

/** The weighted products of all columns with each other. */
export function multiplyColumns(
  columns: readonly Float64Array[],
  weights: Float64Array,
): SymmetricMatrix {
  const size = columns.length;
  const values = new Float64Array(size * size);
  const weighted = new Float64Array(weights.length);
  for (let row = 0; row < size; row += 1) {
    const left = columns[row] as Float64Array;
    for (let index = 0; index < weighted.length; index += 1)
      weighted[index] = (left[index] as number) * (weights[index] as number);
    for (let column = 0; column <= row; column += 1) {
      const right = columns[column] as Float64Array;
      let sum = 0;
      for (let index = 0; index < weighted.length; index += 1)
        sum += (weighted[index] as number) * (right[index] as number);
      values[row * size + column] = sum;
      values[column * size + row] = sum;
    }
  }
  return { size, values };
}

/** The products of the last column with all. */
export function getLastRow({ size, values }: SymmetricMatrix): Float64Array {
  return values.subarray((size - 1) * size);
}

/**
 * Solves the system of the first rows and columns of a matrix (Cholesky); undefined if these are
 * not positive definite.
 */
export function solveSystem(
  matrix: SymmetricMatrix,
  right: Float64Array,
  count: number,
): Float64Array | undefined {
  const rows: FactorRow[] = [];
  for (let column = 0; column < count; column += 1) {
    const row = factorColumn(matrix, right, rows, column);
    if (!row) return undefined;
    rows.push(row);
  }
  const solution = new Float64Array(count);
  for (let row = count - 1; row >= 0; row -= 1) {
    const { coordinate, pivot } = rows[row] as FactorRow;
    let rest = coordinate;
    for (let k = row + 1; k < count; k += 1)
      rest -= (rows[k]?.entries[row] as number) * (solution[k] as number);
    solution[row] = rest / pivot;
  }
  return solution;
}

/** A row of the Cholesky factor of a matrix, and the coordinate of the right side in it. */
export interface FactorRow {
  readonly column: number;
  readonly entries: readonly number[];
  readonly pivot: number;
  readonly coordinate: number;
}

/** A pivot this much smaller than its diagonal is rounding: its column depends on the others. */
const MIN_RELATIVE_PIVOT = 1e-13;

/** The row that follows the given ones; undefined if the column depends on theirs. */
export function factorColumn(
  { size, values }: SymmetricMatrix,
  right: Float64Array,
  rows: readonly FactorRow[],
  column: number,
): FactorRow | undefined {
  const offset = column * size;
  const diagonal = values[offset + column] as number;
  let square = diagonal;
  let rest = right[column] as number;
  const entries: number[] = [];
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] as FactorRow;
    let entry = values[offset + row.column] as number;
    for (let k = 0; k < index; k += 1) entry -= (entries[k] as number) * (row.entries[k] as number);
    entry /= row.pivot;
    entries.push(entry);
    square -= entry * entry;
    rest -= entry * row.coordinate;
  }
  // Negated, so that NaN counts as no pivot.
  if (!(square > MIN_RELATIVE_PIVOT * diagonal)) return undefined;
  const pivot = Math.sqrt(square);
  return { column, entries, pivot, coordinate: rest / pivot };
}

export function add(sums: Float64Array, index: number, value: number): void {
  sums[index] = (sums[index] as number) + value;
}
