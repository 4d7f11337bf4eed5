import type { Palette } from '../breakdown/palette.ts';
import type { TableColumn } from '../components/data-table.tsx';

/** The column of asset classes, each with the colour it has in the charts. */
export function createClassColumn<Row>(
  { components, smallest }: Palette,
  getLabel: (row: Row) => string,
): TableColumn<Row> {
  return {
    name: 'class',
    title: 'Class',
    isText: true,
    renderCell(row) {
      const label = getLabel(row);
      const component = smallest.some(({ key }) => key === label)
        ? components.at(-1)
        : components.find(({ key }) => key === label);
      return (
        <span class={`class-label color-${component?.colorIndex}`}>
          <i class="swatch" />
          {label}
        </span>
      );
    },
  };
}
