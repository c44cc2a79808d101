import { linkedPostKinds } from '../calendar/linked-kinds/registry.ts';
import { category, tag } from '../calendar/terms/taxonomies.ts';
import type { AnyEndpoint } from '../http/core/endpoint.ts';
import { eventType } from './events.ts';
import { linkedPostType } from './linked-posts.ts';
import { mediaEndpoints } from './media.ts';
import { postEndpoints } from './posts.ts';
import { termEndpoints } from './terms.ts';
import { userEndpoints } from './users.ts';

/** The part of the core namespace used by public clients of the calendar. */
export const coreEndpoints: AnyEndpoint[] = [
  ...postEndpoints(eventType),
  ...Object.values(linkedPostKinds).flatMap((kind) => postEndpoints(linkedPostType(kind))),
  ...termEndpoints(tag),
  ...termEndpoints(category),
  ...mediaEndpoints,
  ...userEndpoints,
];
