import type { AnyRecord } from '../../catalogue/model/dataset.ts';
import { getWidgetPath, type Widget } from '../../openbb/widget.ts';
import { isHttpError } from '../http-error.ts';
import type { RespondToTarget } from '../respond-to-target.ts';
import { errorResponse } from '../responses/response.ts';
import type { GuestRoute } from '../route.ts';
import type { ReadDefaults } from './defaults.ts';
import { deriveResponse, keepInstant } from './derive-response.ts';
import { type GuestQuery, parseGuestQuery } from './parse-guest-query.ts';

/** The endpoint of a widget: it reads an operation, and shows the records in its own way. */
export function createWidgetRoute(
  widget: Widget,
  respondToTarget: RespondToTarget,
  readDefaults: ReadDefaults,
): GuestRoute {
  const { scope, parameters, toTarget } = widget;
  const required = Object.keys(parameters).filter((name) => parameters[name]?.isRequired);
  return {
    path: getWidgetPath(widget),
    ...(scope && { scope }),
    allowsAnyHeader: true,
    async respond(context, client, { query }, request) {
      const guest = parseGuestQuery(query, parameters);
      if (isHttpError(guest)) return errorResponse(guest);
      const { headers } = keepInstant(request);
      const texts: Record<string, string> = { ...guest.texts };
      const missing = required.filter((name) => !(name in texts));
      const defaults =
        missing.length === 0 ? {} : await readDefaults(context, client, { texts, headers });
      for (const name of missing) texts[name] = defaults[name] ?? NO_IDENTIFIER;
      const source = await respondToTarget(context, client, toTarget(texts), { headers });
      const isShownAsRead = !('buildFigure' in widget) && !widget.toRows;
      if (source.status !== 200 || isShownAsRead) return source;
      const key = `${widget.name} ${guest.isRaw ? 'raw' : guest.theme}`;
      return deriveResponse(context, source, key, (records) =>
        buildContent(widget, records, { ...guest, texts }),
      );
    },
  };
}

/** An identifier that nothing has: the widget of an empty database has no rows. */
const NO_IDENTIFIER = '-';

/** A figure or its rows; those of a table in the envelope of the API. */
function buildContent(
  widget: Widget,
  records: readonly AnyRecord[],
  { texts, theme, isRaw }: GuestQuery,
): unknown {
  const isChart = 'buildFigure' in widget;
  if (isChart && !isRaw) return widget.buildFigure(records, theme);
  const { toRows } = widget;
  const rows = toRows ? records.flatMap((record) => toRows(record, texts)) : records;
  return isChart ? rows : { status: 'ok', data: rows };
}
