import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import type { ChartTable } from './chart-table.ts';

/** Creates the tables of a chart in the surrounding panel, of its last rendering. */
interface ChartTableSource {
  current: () => readonly ChartTable[];
}

/** The charts of a panel, in their order on the page. */
export type ChartTableSources = Set<ChartTableSource>;

export const ChartTablesContext = createContext<ChartTableSources | undefined>(undefined);

/** Lets the surrounding panel export what a chart draws. */
export function useChartTables(createTables: () => readonly ChartTable[]): void {
  const sources = useContext(ChartTablesContext);
  const source = useRef(createTables);
  source.current = createTables;
  useLayoutEffect(() => {
    sources?.add(source);
    return () => void sources?.delete(source);
  }, [sources]);
}
