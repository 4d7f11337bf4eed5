/** Whether a server can be read from: `gone` is unreachable, `behind` a lagging replica. */
export type ServerHealth = 'fit' | 'gone' | 'behind' | 'diverged';

/** Called when the health of a server changes; the cause says why it is unreachable. */
export type OnServerHealthChange = (server: string, health: ServerHealth, cause?: string) => void;
