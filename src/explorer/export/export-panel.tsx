import { Panel, type PanelProps } from '../components/panel.tsx';
import { ExportMenu, type ExportMenuProps } from './export-menu.tsx';

interface ExportPanelProps extends PanelProps {
  /** The content of the export menu, which follows the tools; undefined without one. */
  readonly exported: ExportMenuProps | undefined;
}

/** A panel whose content can be shared and downloaded. */
export function ExportPanel({ exported, tools, ...panel }: ExportPanelProps) {
  const menu = exported && <ExportMenu {...exported} />;
  return (
    <Panel
      {...panel}
      tools={
        (tools || menu) && (
          <>
            {tools}
            {menu}
          </>
        )
      }
    />
  );
}
