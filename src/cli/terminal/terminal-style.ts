/** How wide output for people may be, and how it stresses and plays down. */
export interface TerminalStyle {
  /** Infinite where nothing is to be fitted. */
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

/** What a look depends on. */
export interface TerminalInfo {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const unstyled = (text: string) => text;
const createAnsiStyle = (code: number) => (text: string) =>
  text && `\u001b[${code}m${text}\u001b[0m`;

/**
 * The look for an output: as wide as the terminal, in colours unless `NO_COLOR` says otherwise;
 * what is no terminal has no width and no colours.
 */
export function createTerminalStyle(
  { isTTY = false, columns = 80 }: TerminalInfo,
  { NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
  width?: number,
): TerminalStyle {
  const isColoured = isTTY && !NO_COLOR && TERM !== 'dumb';
  return {
    width: width ?? (isTTY ? columns : Number.POSITIVE_INFINITY),
    bold: isColoured ? createAnsiStyle(1) : unstyled,
    dim: isColoured ? createAnsiStyle(2) : unstyled,
  };
}
