import type { Palette } from '../breakdown/palette.ts';

interface ClassLabelProps {
  readonly label: string;
  readonly palette: Palette;
}

/** The name of a class with the colour that it is drawn in. */
export function ClassLabel({ label, palette: { parts, rest } }: ClassLabelProps) {
  const isSmall = rest.some(({ key }) => key === label);
  const tone = (isSmall ? parts.at(-1) : parts.find(({ key }) => key === label))?.tone;
  return (
    <span class={`swatched tone-${tone}`}>
      <i class="swatch" />
      {label}
    </span>
  );
}
