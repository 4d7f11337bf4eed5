/** What is asked of the service. */
export interface ApiRequest {
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string | number | undefined>>;
  /** Whether every page is wanted, not only the first. */
  readonly allPages?: boolean;
}
