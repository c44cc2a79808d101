import { mayEdit } from '../../../http/core/auth.ts';
import type { AuditedKind } from '../../../platform/audit/kind.ts';
import { linkedPostKinds } from '../../linked-kinds/registry.ts';
import { auditedPlain } from '../event-fields.ts';
import { findSeries } from './series-store.ts';
import { ownedSeries } from './series-view.ts';

/**
 * Audit of series. The log of a series covers the occurrences that it makes and changes. Days that follow from a single
 * event are in the log of the event only.
 */
export const auditedSeries: AuditedKind = {
  name: 'series',
  async snapshot(db, id) {
    const series = await findSeries(db, id);
    if (!series) return undefined;
    const { template, rrule, rdates, exdates, status, revision } = series;
    const { values, links } = template;
    const { texts, details, reason } = auditedPlain(values);
    return {
      title: values.title,
      revision,
      fields: {
        ...texts,
        ...{ status, recurrence: { rrule, rdates, exdates }, author: values.author_id, image: values.image_id },
        // Values of its events.
        ...{ event_publication: values.status, event_status: values.event_status, ...reason },
        ...{ time: values.start_date.slice(11), end_time: values.end_date.slice(11), timezone: values.timezone },
        ...{ all_day: values.all_day === 1, cost: JSON.parse(values.cost), ...details },
        ...{ attendance_mode: values.attendance_mode, online_access: values.online_access },
        ...{ door_time: values.door_time, accessibility: values.accessibility },
        ...{ categories: links.category, tags: links.tag },
        ...Object.fromEntries(Object.values(linkedPostKinds).map(({ name }) => [name, links[name]])),
      },
      texts: Object.fromEntries(template.translations.map((one) => [one.language, one.texts])),
      secret: { post_password: values.password, online_url: values.online_url },
    };
  },
  async mayChange({ viewer, context }, id) {
    const series = await findSeries(context.db, id);
    return series !== undefined && mayEdit(viewer, ownedSeries(series));
  },
};
