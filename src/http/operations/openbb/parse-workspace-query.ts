import { choiceParameter, type Parameters } from '../../../catalogue/model/parameter.ts';
import { THEME_NAMES, type ThemeName } from '../../../openbb/figures/figure.ts';
import type { ParameterTexts } from '../../../openbb/widget.ts';
import { HttpError } from '../../http-error.ts';
import { parseQuery } from '../../request/parse-query.ts';

/** What Workspace sends with every request, whatever a widget declares. */
const WORKSPACE_PARAMETERS = {
  theme: choiceParameter('The theme of the user', THEME_NAMES, 'dark'),
  raw: choiceParameter('Whether rows are wanted instead of a figure', ['true', 'false'], 'false'),
};

export interface WorkspaceQuery {
  /** The parameters that are not empty, by name. */
  readonly texts: ParameterTexts;
  readonly theme: ThemeName;
  readonly isRaw: boolean;
}

/** Parses the query of a widget: an empty parameter is one that the user has not chosen. */
export function parseWorkspaceQuery(
  query: string,
  parameters: Parameters,
): WorkspaceQuery | HttpError {
  const chosen = query
    .split('&')
    .filter((segment) => /=./.test(segment))
    .join('&');
  const values = parseQuery(chosen, { ...parameters, ...WORKSPACE_PARAMETERS });
  if (values instanceof HttpError) return values;
  const { theme = 'dark', raw, ...texts } = Object.fromEntries(new URLSearchParams(chosen));
  return { texts, theme: theme as ThemeName, isRaw: raw === 'true' };
}
