/** The width and the text styles of output for people. */
export interface TerminalStyle {
  /** Infinite if the output is not a terminal. */
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

const unstyled = (text: string) => text;
const createAnsiStyle = (code: number) => (text: string) =>
  text && `\u001b[${code}m${text}\u001b[0m`;

/** As wide as the terminal, and styled unless `NO_COLOR` is set; other streams have unlimited width and no styles. */
export function createTerminalStyle(
  { isTTY = false, columns = 80 }: { readonly isTTY?: boolean; readonly columns?: number },
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
