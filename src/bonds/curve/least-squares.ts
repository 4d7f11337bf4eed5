/**
 * The coefficients of the columns that come closest to the target, by weighted least squares;
 * undefined where the columns do not determine them.
 */
export function solveLeastSquares(
  columns: readonly Float64Array[],
  target: Float64Array,
  weights: Float64Array,
): Float64Array | undefined {
  const size = columns.length;
  const matrix = new Float64Array(size * size);
  const right = new Float64Array(size);
  for (let row = 0; row < size; row += 1) {
    const left = columns[row] as Float64Array;
    for (let column = 0; column <= row; column += 1) {
      const sum = sumProducts(left, columns[column] as Float64Array, weights);
      matrix[row * size + column] = sum;
      matrix[column * size + row] = sum;
    }
    right[row] = sumProducts(left, target, weights);
  }
  return solvePositiveDefinite(matrix, right);
}

function sumProducts(a: Float64Array, b: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < weights.length; index += 1)
    sum += (weights[index] as number) * (a[index] as number) * (b[index] as number);
  return sum;
}

/** A pivot this much smaller than its diagonal is rounding: its column depends on the others. */
const MIN_RELATIVE_PIVOT = 1e-13;

/** Solves a symmetric system (Cholesky); undefined where the matrix is not positive definite. */
export function solvePositiveDefinite(
  matrix: Float64Array,
  right: Float64Array,
): Float64Array | undefined {
  const size = right.length;
  const factor = new Float64Array(size * size);
  const at = (row: number, column: number) => factor[row * size + column] as number;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      const entry = matrix[row * size + column] as number;
      let rest = entry;
      for (let k = 0; k < column; k += 1) rest -= at(row, k) * at(column, k);
      if (row !== column) factor[row * size + column] = rest / at(column, column);
      // Written so that NaN is no pivot either.
      else if (rest > MIN_RELATIVE_PIVOT * entry) factor[row * size + row] = Math.sqrt(rest);
      else return undefined;
    }
  }
  const solution = Float64Array.from(right);
  for (let row = 0; row < size; row += 1) {
    for (let k = 0; k < row; k += 1)
      solution[row] = (solution[row] as number) - at(row, k) * (solution[k] as number);
    solution[row] = (solution[row] as number) / at(row, row);
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    for (let k = row + 1; k < size; k += 1)
      solution[row] = (solution[row] as number) - at(k, row) * (solution[k] as number);
    solution[row] = (solution[row] as number) / at(row, row);
  }
  return solution;
}
