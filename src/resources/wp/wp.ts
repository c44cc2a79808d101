import type { AnyEndpoint } from '../../http/endpoint.ts';
import { category } from '../categories/category.ts';
import { linkedPostKinds } from '../linked-kinds/registry.ts';
import { tag } from '../tags/tag.ts';
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
