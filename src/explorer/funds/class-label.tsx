import type { Palette } from '../breakdown/palette.ts';

interface ClassLabelProps {
  readonly label: string;
  readonly palette: Palette;
}

/** The name of a class with the colour that it is drawn in. */
export function ClassLabel({ label, palette: { parts: components, rest } }: ClassLabelProps) {
  const isSmall = rest.some(({ key }) => key === label);
  const colorIndex = (isSmall ? components.at(-1) : components.find(({ key }) => key === label))
    ?.colorIndex;
  return (
    <span class={`class-label color-${colorIndex}`}>
      <i class="swatch" />
      {label}
    </span>
  );
}
