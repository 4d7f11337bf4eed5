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
  const products = multiplyColumns([...columns, target], weights);
  const matrix = new Float64Array(size * size);
  const right = new Float64Array(size);
  for (let row = 0; row < size; row += 1) {
    const offset = row * (size + 1);
    for (let column = 0; column < size; column += 1)
      matrix[row * size + column] = products[offset + column] as number;
    right[row] = products[offset + size] as number;
  }
  return solvePositiveDefinite(matrix, right);
}

/** The weighted products of all columns with each other, by rows. */
export function multiplyColumns(
  columns: readonly Float64Array[],
  weights: Float64Array,
): Float64Array {
  const size = columns.length;
  const products = new Float64Array(size * size);
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
      products[row * size + column] = sum;
      products[column * size + row] = sum;
    }
  }
  return products;
}

/** A pivot this much smaller than its diagonal is rounding: its column depends on the others. */
export const MIN_RELATIVE_PIVOT = 1e-13;

/** Solves a symmetric system (Cholesky); undefined where the matrix is not positive definite. */
export function solvePositiveDefinite(
  matrix: Float64Array,
  right: Float64Array,
): Float64Array | undefined {
  const size = right.length;
  const factor = new Float64Array(size * size);
  const getFactor = (row: number, column: number) => factor[row * size + column] as number;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      const entry = matrix[row * size + column] as number;
      let remainder = entry;
      for (let k = 0; k < column; k += 1) remainder -= getFactor(row, k) * getFactor(column, k);
      if (row !== column) factor[row * size + column] = remainder / getFactor(column, column);
      // Written so that NaN is no pivot either.
      else if (remainder > MIN_RELATIVE_PIVOT * entry)
        factor[row * size + row] = Math.sqrt(remainder);
      else return undefined;
    }
  }
  const solution = right.slice();
  for (let row = 0; row < size; row += 1) {
    for (let k = 0; k < row; k += 1)
      solution[row] = (solution[row] as number) - getFactor(row, k) * (solution[k] as number);
    solution[row] = (solution[row] as number) / getFactor(row, row);
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    for (let k = row + 1; k < size; k += 1)
      solution[row] = (solution[row] as number) - getFactor(k, row) * (solution[k] as number);
    solution[row] = (solution[row] as number) / getFactor(row, row);
  }
  return solution;
}
