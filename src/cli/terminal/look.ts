/** How wide output for people may be, and how it stresses and plays down. */
export interface Look {
  /** Infinite where nothing is to be fitted. */
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

/** What a look depends on. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const plain = (text: string) => text;
const painted = (code: number) => (text: string) => text && `\u001b[${code}m${text}\u001b[0m`;

/**
 * The look for an output: as wide as the terminal, in colours unless `NO_COLOR` says otherwise;
 * what is no terminal has no width and no colours.
 */
export function lookOf(
  { isTTY = false, columns = 80 }: Terminal,
  { NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
  width?: number,
): Look {
  const isColoured = isTTY && !NO_COLOR && TERM !== 'dumb';
  return {
    width: width ?? (isTTY ? columns : Number.POSITIVE_INFINITY),
    bold: isColoured ? painted(1) : plain,
    dim: isColoured ? painted(2) : plain,
  };
}
